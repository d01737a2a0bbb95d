//! Retries that cannot become the outage.

#![forbid(unsafe_code)]

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
pub use retry_macros::retry;
#[cfg(feature = "http-1")]
pub use retry_runtime::RetryAfter;
#[cfg(feature = "testing")]
pub use retry_runtime::testing;
pub use retry_runtime::{
    Attempt, AttemptTimeout, Backoff, BackoffContext, Bound, BreakerOpen, Budget, BudgetRow,
    BudgetSettings, BudgetStats, Budgets, CallReport, Classification, ConfigError, Context, Cut,
    DeadlineExceeded, DeclareError, Delays, Execution, FailedAttempt, Hint, IdempotencyKey, Inner,
    Kind, Nested, Note, Outcome, Policy, Problem, RetryError, RetryEvent, Retryable, SiteRow,
    Sites, StopReason, Verify, VerifyError, Warning, budget, budgets, control, current, deadline,
    report, sites, verify, warnings,
};

/// What generated code names. Not part of the interface, and free to change in any release.
#[doc(hidden)]
pub mod __private {
    pub use retry_runtime::__private::*;
}
