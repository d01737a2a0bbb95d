//! For test suites: isolation, seeds, and counters of what the warm path must not do.
//!
//! Behind the feature `testing`; put it into your dev-dependencies alone.

use std::{cell::Cell, future::Future};

use crate::{
    context::{self, Scoped},
    isolation::{self, Isolated},
};

/// Where jitter comes from in a test.
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

/// Runs a future in which all budgets are full and private, all counters zero and private, and
/// switches, seeds and warnings its own, so that tests of one process run side by side.
///
/// It is carried by the context, like a deadline: a spawned task takes part where the
/// [`Context`](crate::Context) is carried to it, and touches the process no more when it outlives the
/// test. Budget declarations stay process-wide.
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
pub fn isolated_sync<T>(run: impl FnOnce() -> T) -> T {
    let test = Isolated::new();
    let _entered = context::enter(test.ambient());
    run()
}

/// Seeds all jitter and all idempotency keys from here on: in the enclosing [`isolated`] future alone,
/// or in the process outside of one.
pub fn seed(seed: u64) {
    jitter(Jitter::Seeded(seed));
}

/// Sets where jitter comes from, as [`seed`] does.
pub fn jitter(jitter: Jitter) {
    isolation::set_jitter(jitter);
}

thread_local! {
    static CLOCK_READS: Cell<u64> = const { Cell::new(0) };
}

/// How often this crate has read the clock on this thread.
///
/// For tests that hold a function to its price: a call that succeeds at once and has no deadline reads
/// no clock, and one that fails reads it once for each decision. Take the difference of two readings
/// around the calls, on one thread.
#[must_use]
pub fn clock_reads() -> u64 {
    CLOCK_READS.get()
}

pub(crate) fn count_clock_read() {
    CLOCK_READS.set(CLOCK_READS.get() + 1);
}
