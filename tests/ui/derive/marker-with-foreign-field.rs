use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(attempt_timeout)]
    TimedOut(std::time::Duration), //~ ERROR a variant that is marked for `stormless::AttemptTimeout` is a unit or holds just that
    #[retryable(deadline_exceeded)]
    Late { cut: stormless::BreakerOpen }, //~ ERROR a variant that is marked for `stormless::DeadlineExceeded` is a unit or holds just that
    #[retryable(breaker_open)]
    Open(Option<u8>), //~ ERROR a variant that is marked for `stormless::BreakerOpen` is a unit or holds just that
}

fn main() {}
