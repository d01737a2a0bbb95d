use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(timeout, not_executed, maybe_executed)]
    Late,
}

fn main() {}
