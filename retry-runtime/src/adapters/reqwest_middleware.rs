//! Errors of `reqwest-middleware`.

use ::reqwest_middleware::Error;

use super::{Verdict, any, labelled};
use crate::{AttemptTimeout, BreakerOpen, Classification, DeadlineExceeded, RetryError, Retryable};

/// reqwest's own errors are classified as [those](crate::reqwest) are, and those of middlewares by the first
/// error of their chain that is known to stormless; others are permanent.
///
/// It can express cuts: they are errors of a middleware.
impl Retryable for Error {
    fn classify(&self) -> Classification {
        verdict(self).0
    }
    fn label(&self) -> &'static str {
        verdict(self).1
    }
    fn deadline_exceeded() -> Option<Self> {
        Some(DeadlineExceeded::new().into())
    }
}

/// For `classify = stormless::reqwest_middleware::classify`.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{AttemptTimeout, Kind, reqwest_middleware::classify};
///
/// let cut = reqwest_middleware::Error::from(AttemptTimeout::default());
/// assert_eq!(classify(&cut).kind(), Kind::Timeout);
/// ```
pub fn classify(error: &Error) -> Classification {
    labelled(verdict(error))
}

fn verdict(error: &Error) -> Verdict {
    match error {
        Error::Reqwest(error) => (error.classify(), error.label()),
        Error::Middleware(error) => any::verdict(&**error),
    }
}

impl From<AttemptTimeout> for Error {
    fn from(cut: AttemptTimeout) -> Self {
        Self::middleware(cut)
    }
}

impl From<DeadlineExceeded> for Error {
    fn from(cut: DeadlineExceeded) -> Self {
        Self::middleware(cut)
    }
}

impl From<BreakerOpen> for Error {
    fn from(cut: BreakerOpen) -> Self {
        Self::middleware(cut)
    }
}

/// What a call that explains itself says: an error of a middleware, from which it can be had back.
impl From<RetryError<Error>> for Error {
    fn from(error: RetryError<Error>) -> Self {
        Self::middleware(error)
    }
}
