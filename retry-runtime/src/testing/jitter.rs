//! Where jitter comes from.

use crate::isolation;

/// Where jitter comes from in a test.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::{io::{Error, ErrorKind::ConnectionRefused}, time::Duration};
/// use stormless::{Policy, testing::{Jitter, isolated, jitter, schedule}};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// for (chosen, first) in [(Jitter::Lowest, 0), (Jitter::Highest, 50)] {
///     isolated(async {
///         jitter(chosen);
///         let schedule = schedule();
///         let refused = async || Err::<(), _>(Error::from(ConnectionRefused));
///         assert!(Policy::new().run(refused).await.is_err());
///         // Full jitter: from nothing to the cap.
///         assert_eq!(schedule.delays()[0], Duration::from_millis(first));
///     }).await;
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Jitter {
    /// As in production.
    Random,
    /// From this seed: the same calls in the same order draw the same delays.
    Seeded(u64),
    /// Always the shortest delay of the strategy's range.
    Lowest,
    /// Always the longest.
    Highest,
}

/// Seeds all jitter and all idempotency keys from here on: in the enclosing [`isolated`](super::isolated) future alone,
/// or in the process outside of one.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::{io::{Error, ErrorKind::ConnectionRefused}, time::Duration};
/// use stormless::{Policy, testing::{isolated, schedule, seed}};
///
/// /// The delays of one call that fails.
/// async fn delays(number: u64) -> Vec<Duration> {
///     isolated(async {
///         seed(number);
///         let schedule = schedule();
///         let refused = async || Err::<(), _>(Error::from(ConnectionRefused));
///         let _failed = Policy::new().run(refused).await;
///         schedule.delays()
///     }).await
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// assert_eq!(delays(7).await, delays(7).await);
/// assert_ne!(delays(7).await, delays(8).await);
/// # }
/// ```
pub fn seed(seed: u64) {
    jitter(Jitter::Seeded(seed));
}

/// Sets where jitter comes from, as [`seed`] does.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::{io::{Error, ErrorKind::ConnectionRefused}, time::Duration};
/// use stormless::{Policy, testing::{Jitter, isolated, jitter, schedule}};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// isolated(async {
///     jitter(Jitter::Highest);
///     let schedule = schedule();
///     let refused = async || Err::<(), _>(Error::from(ConnectionRefused));
///     let _failed = Policy::new().run(refused).await;
///     schedule.assert_delays([Duration::from_millis(50), Duration::from_millis(100)]);
/// }).await;
/// # }
/// ```
pub fn jitter(jitter: Jitter) {
    isolation::set_jitter(jitter);
}
