use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(attempt_timeout)]
    TimedOut(stormless::AttemptTimeout, u8),
}

fn main() {}
