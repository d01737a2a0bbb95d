//! Tests of one process that share nothing.

use std::future::Future;

use crate::{
    context::{self, Scoped},
    isolation::Isolated,
};

/// Runs a future in which all budgets are full and private, all breakers closed and private, all
/// counters zero and private, and switches, seeds and warnings its own, so that tests of one process run
/// side by side.
///
/// It is carried by the context, like a deadline: a spawned task takes part where the
/// [`Context`](crate::Context) is carried to it, and touches the process no more when it outlives the
/// test. Declarations of budgets and breakers stay process-wide.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::testing::{self, isolated};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// isolated(async {
///     testing::seed(42);
///     // … calls in here draw the same delays on each run, from budgets of their own
/// }).await;
/// # }
/// ```
pub async fn isolated<F: Future>(future: F) -> F::Output {
    let test = Isolated::new();
    Scoped::new(test.ambient(), future).await
}

/// [`isolated`] for code that is not async.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{control, testing::{isolated_sync, off}};
///
/// isolated_sync(|| {
///     off();
///     assert!(control::all().is_off());
/// });
/// assert!(!control::all().is_off(), "what is set in a test ends with it");
/// ```
pub fn isolated_sync<T>(run: impl FnOnce() -> T) -> T {
    let test = Isolated::new();
    let _entered = context::enter(&test.ambient());
    run()
}
