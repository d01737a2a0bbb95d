//! No retries.

use crate::control;

/// Calls run once from here on and stop with the reason [`Disabled`](crate::StopReason::Disabled) where they
/// fail: in the enclosing [`isolated`](super::isolated) future alone, or in the process outside of one.
///
/// For tests that are not about retries, such as those of a body's own failures. Deadlines, timeouts and breakers
/// go on as they were. It is the switch of [`control::all`], so that whatever reads the overrides sees it.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::{cell::Cell, io};
/// use stormless::{Policy, testing};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// testing::isolated(async {
///     let calls = Cell::new(0);
///     let refused = async || {
///         calls.set(calls.get() + 1);
///         Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused))
///     };
///     testing::off();
///     assert!(Policy::new().run(refused).await.is_err());
///     assert_eq!(calls.get(), 1);
/// }).await;
/// # }
/// ```
pub fn off() {
    control::all().because("testing::off").off();
}

/// Retries again, after [`off`]. What a file or the environment switches off stays off.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{control, testing};
///
/// testing::isolated_sync(|| {
///     testing::off();
///     assert!(control::all().is_off());
///     testing::on();
///     assert!(!control::all().is_off());
/// });
/// ```
pub fn on() {
    control::all().on();
}
