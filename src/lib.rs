//! Retries that cannot become the outage.

/// Classifies the values of an error type, once, where the type is declared.
///
/// ```
/// use std::time::Duration;
/// use stormless::{Classification, DeadlineExceeded, Retryable};
///
/// #[derive(Debug, thiserror::Error, Retryable)]
/// enum StoreError {
///     #[error("the store is unreachable")]
///     #[retryable(transient)]
///     Unreachable,
///     #[error("no such row")]
///     #[retryable(permanent, executed)]
///     NoSuchRow,
/// }
///
/// #[derive(Debug, thiserror::Error, Retryable)]
/// enum OrderError {
///     #[error("slow down")]
///     #[retryable(throttled, retry_after = wait, cost = 2)]
///     Busy { wait: Option<Duration> },
///     #[error("answered {0}")]
///     #[retryable(status = 0)]
///     Http(u16),
///     #[error(transparent)]
///     #[retryable(forward)]
///     Store(#[from] StoreError),
///     #[error("too late")]
///     #[retryable(deadline_exceeded)]
///     Late,
/// }
///
/// let wait = Duration::from_secs(2);
/// let busy = OrderError::Busy { wait: Some(wait) };
/// assert_eq!(busy.classify(), Classification::throttled().retry_after(wait).cost(2));
/// assert_eq!(busy.label(), "Busy");
///
/// let missing = OrderError::from(StoreError::NoSuchRow);
/// assert!(missing.classify().is_answer());
/// assert_eq!(missing.label(), "NoSuchRow");
///
/// assert_eq!(OrderError::Http(503).classify(), Classification::from_status(503));
/// assert!(matches!(OrderError::from(DeadlineExceeded::default()), OrderError::Late));
/// ```
pub use retry_macros::Retryable;
pub use retry_runtime::*;

/// What generated code names and nobody else should; it may change in any release.
#[doc(hidden)]
pub mod __private {
    // `#[derive(Retryable)]`
    pub use retry_runtime::__private::{
        CutField, StatusField, WaitField, beside_status, status, with_retry_after,
    };
    pub use retry_runtime::{
        AttemptTimeout, BreakerOpen, Classification, DeadlineExceeded, Retryable,
    };
}
