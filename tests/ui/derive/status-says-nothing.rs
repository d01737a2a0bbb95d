use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(permanent, executed, status = 0)] //~ ERROR `status` says nothing here
    Both(u16),
    #[retryable(cancelled, status = 0)] //~ ERROR `status` says nothing beside `cancelled`
    Cancelled(u16),
    #[retryable(forward = 1, status = 0)] //~ ERROR `status` says nothing beside `forward`
    Forwarded(u16, std::convert::Infallible),
    #[retryable(status = 0, with = decide)] //~ ERROR `status` says nothing beside `with`
    Decided(u16),
    #[retryable(status = 0, breaker_open)] //~ ERROR `status` says nothing beside `breaker_open`
    Marked(stormless::BreakerOpen),
}

fn main() {}
