//! Retries that cannot become the outage.

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
