use std::time::Duration;

use stormless::{AttemptTimeout, BreakerOpen, Classification, DeadlineExceeded, Retryable};

#[derive(Debug, thiserror::Error, Retryable)]
#[retryable(crate = "stormless")]
enum Error {
    #[error("unreachable")]
    #[retryable(transiant)]
    Unreachable,
    #[error("busy")]
    #[retryable(throttled, retry_after = wiat, base = "50", attempts = 0)]
    Busy { wait: Duration },
    #[error("late")]
    #[retryable(deadline_exceeded)]
    Late(u8, u8),
    #[error(transparent)]
    #[retryable(attempt_timeout, executed)]
    TimedOut(#[from] AttemptTimeout),
    #[error("open")]
    #[retryable(breaker_open, transient)]
    Open,
    #[error("unclassified")]
    Unclassified,
}

// What the rest of the crate does with the type makes no second error.
fn uses() -> Option<Error> {
    let errors = [
        Error::from(DeadlineExceeded::default()),
        Error::from(AttemptTimeout::default()),
        Error::from(BreakerOpen::new(None)),
    ];
    let _: Vec<Classification> = errors.iter().map(Retryable::classify).collect();
    let _: Vec<&str> = errors.iter().map(Error::label).collect();
    Error::deadline_exceeded()
}

fn main() {
    uses();
}
