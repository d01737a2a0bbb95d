use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(attempt_timeout)]
    TimedOut(std::time::Duration),
    #[retryable(deadline_exceeded)]
    Late { cut: stormless::BreakerOpen },
    #[retryable(breaker_open)]
    Open(Option<u8>),
}

fn main() {}
