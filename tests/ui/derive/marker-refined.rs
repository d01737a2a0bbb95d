use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(attempt_timeout, not_executed)]
    TimedOut,
    #[retryable(deadline_exceeded, local, cost = 2)]
    Late,
    #[retryable(breaker_open, retry_after = 0)]
    Open(stormless::BreakerOpen),
}

fn main() {}
