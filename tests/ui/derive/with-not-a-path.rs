use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(with = |_| Classification::transient())] //~ ERROR `with` needs a path
    Closure,
    #[retryable(with = "decide")] //~ ERROR `with` needs a path
    Quoted,
    #[retryable(with = decide())] //~ ERROR `with` needs a path
    Call,
}

fn main() {}
