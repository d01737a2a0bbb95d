use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(permanent, executed, status = 0)]
    Both(u16),
    #[retryable(cancelled, status = 0)]
    Cancelled(u16),
    #[retryable(forward = 1, status = 0)]
    Forwarded(u16, std::convert::Infallible),
    #[retryable(status = 0, with = decide)]
    Decided(u16),
    #[retryable(status = 0, breaker_open)]
    Marked(stormless::BreakerOpen),
}

fn main() {}
