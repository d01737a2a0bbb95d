use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(attempt_timeout, not_executed)] //~ ERROR `not_executed` cannot change what `attempt_timeout` means to an enclosing
    TimedOut,
    #[retryable(deadline_exceeded, local, cost = 2)] //~ ERROR `local` cannot change what `deadline_exceeded` means to an enclosing call
    Late,
    #[retryable(breaker_open, retry_after = 0)] //~ ERROR `retry_after` cannot change what `breaker_open` means to an enclosing call
    Open(stormless::BreakerOpen),
}

fn main() {}
