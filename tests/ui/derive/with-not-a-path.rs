use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(with = |_| Classification::transient())]
    Closure,
    #[retryable(with = "decide")]
    Quoted,
    #[retryable(with = decide())]
    Call,
}

fn main() {}
