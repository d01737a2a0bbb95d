//! Retries without the waits between them.

use crate::isolation;

/// Delays are decided and told as ever from here on, but not slept: in the enclosing
/// [`isolated`](super::isolated) future alone, or in the process outside of one.
///
/// For suites whose time is real: where tokio's time is paused nothing is slept anyway. Each wait lets other
/// tasks run once, or other threads where the function is marked `blocking`; there, a hook of
/// [`blocking_sleeps`](super::blocking_sleeps) is called as ever.
///
/// What is decided is what would be decided if the delays were slept:
///
/// - Hints of servers make delays longer, or stop the call, as ever.
/// - The delays that a call has skipped count against its deadline, so that it stops with
///   [`DeadlineTooClose`](crate::StopReason::DeadlineTooClose) at the failure at which it would.
/// - Events, reports, hooks and [`schedule`](super::schedule) tell the delays as drawn, and `slept` adds them up.
///
/// The clock itself is not moved: windows of budgets and open breakers last as long as they do, as does what an
/// attempt that runs has left of its deadline. To test those, pause tokio's time.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::{io, time::{Duration, Instant}};
/// use stormless::{Policy, report, testing};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// testing::isolated(async {
///     testing::no_delays();
///     let begun = Instant::now();
///     let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
///     let policy = Policy::new().backoff(stormless::Backoff::Fixed).base(Duration::from_secs(60)).max(Duration::from_secs(60));
///     let (result, calls) = report(async { policy.run(refused).await }).await;
///     assert!(result.is_err());
///     assert_eq!(calls[0].slept(), Duration::from_secs(120));
///     assert!(begun.elapsed() < Duration::from_secs(60));
/// }).await;
/// # }
/// ```
pub fn no_delays() {
    isolation::set_skipping(true);
}

/// Delays are slept again, after [`no_delays`].
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::testing;
///
/// testing::isolated_sync(|| {
///     testing::no_delays();
///     // … calls in here do not wait
///     testing::real_delays();
/// });
/// ```
pub fn real_delays() {
    isolation::set_skipping(false);
}
