use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(timeout, not_executed, maybe_executed)] //~ ERROR `maybe_executed` contradicts `not_executed`
    Late,
}

fn main() {}
