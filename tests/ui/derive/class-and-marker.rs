use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(timeout, deadline_exceeded)]
    Late,
    #[retryable(attempt_timeout, breaker_open)]
    Cut,
}

fn main() {}
