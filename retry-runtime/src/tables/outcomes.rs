//! How calls ended.

/// Calls that have ended, each in one of four ways. From [`SiteRow::outcomes`](crate::SiteRow::outcomes).
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Outcomes, Policy, sites};
/// use std::io;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
/// let _error = Policy::new().run(refused).named("fetch").await;
/// let outcomes: Outcomes = sites().get("fetch").unwrap().outcomes();
/// assert_eq!((outcomes.failure_after_retry, outcomes.calls()), (1, 1));
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcomes {
    /// Calls whose first attempt succeeded. Counted only while
    /// [`control::count_successes`](crate::control::count_successes) is on.
    pub success: u64,
    /// Calls that succeeded after a retry.
    pub success_after_retry: u64,
    /// Calls that failed, were dropped or panicked before any retry had started.
    pub failure: u64,
    /// Calls that failed, were dropped or panicked after one had.
    pub failure_after_retry: u64,
}

impl Outcomes {
    /// All of them.
    #[must_use]
    pub const fn calls(&self) -> u64 {
        let succeeded = self.success.saturating_add(self.success_after_retry);
        let failed = self.failure.saturating_add(self.failure_after_retry);
        succeeded.saturating_add(failed)
    }
}
