use std::time::Duration;

use stormless::{AttemptTimeout, BreakerOpen, Classification, DeadlineExceeded, Retryable};

#[derive(Debug, thiserror::Error, Retryable)]
#[retryable(crate = "stormless")] //~ ERROR `crate` needs a path
enum Error {
    #[error("unreachable")]
    #[retryable(transiant)] //~ ERROR unknown key `transiant`
    Unreachable,
    #[error("busy")]
    #[retryable(throttled, retry_after = wiat, base = "50", attempts = 0)] //~ ERROR there is no field `wiat` //~ ERROR `50` has no unit //~ ERROR `attempts` needs a whole number from 1 to 4294967295
    Busy { wait: Duration },
    #[error("late")]
    #[retryable(deadline_exceeded)] //~ ERROR `deadline_exceeded` needs a unit
    Late(u8, u8),
    #[error(transparent)]
    #[retryable(attempt_timeout, executed)] //~ ERROR `executed` cannot change what `attempt_timeout` means to an enclosing call
    TimedOut(#[from] AttemptTimeout),
    #[error("open")]
    #[retryable(breaker_open, transient)] //~ ERROR `transient` contradicts `breaker_open`
    Open,
    #[error("unclassified")]
    Unclassified, //~ ERROR variant `Unclassified` has no class
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
