//! Retries that cannot become the outage.

#![forbid(unsafe_code)]

pub use retry_macros::{Retryable, retry};
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
