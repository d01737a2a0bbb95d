//! For test suites: isolation, seeds, and counters of what the warm path must not do.
//!
//! Behind the feature `testing`; put it into your dev-dependencies alone.

pub(crate) mod table;

use std::{
    cell::{Cell, RefCell},
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use crate::{
    Event,
    context::{self, Scoped},
    event::{self, Attached},
    isolation::{self, Isolated},
};

pub use table::{ClassificationRow, ClassificationTable, DecidedBy, classification_table};

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
pub fn isolated_sync<T>(run: impl FnOnce() -> T) -> T {
    let test = Isolated::new();
    let _entered = context::enter(&test.ambient());
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

/// Writes down every [`Event`] from here on, at once and in order: in the enclosing [`isolated`] future alone,
/// or in the process outside of one.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::testing::{self, isolated};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// isolated(async {
///     let events = testing::events();
///     // … calls in here
///     assert!(events.take().is_empty(), "nothing was called");
/// }).await;
/// # }
/// ```
pub fn events() -> Events {
    let log = Arc::default();
    Events { _attached: event::recorder(&log), log }
}

/// What happened since [`events`] was called.
#[derive(Debug)]
pub struct Events {
    log: Arc<Mutex<Vec<Event>>>,
    _attached: Attached,
}

impl Events {
    /// What has happened since this was called last.
    pub fn take(&self) -> Vec<Event> {
        std::mem::take(&mut self.log.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

type Hook = Box<dyn FnMut(Duration)>;

thread_local! {
    static SLEEPS: RefCell<Option<Hook>> = const { RefCell::new(None) };
}

/// From here on, functions marked `blocking` do not sleep on this thread but call `hook` with the time
/// that they would sleep, until the guard is dropped.
///
/// The hook may record the delays or move a clock; inside a tokio runtime with paused time, poll
/// `tokio::time::advance` in it.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::{cell::RefCell, rc::Rc};
///
/// let delays = Rc::new(RefCell::new(Vec::new()));
/// let guard = stormless::testing::blocking_sleeps({
///     let delays = Rc::clone(&delays);
///     move |delay| delays.borrow_mut().push(delay)
/// });
/// // … calls of blocking functions in here take no time
/// drop(guard);
/// ```
pub fn blocking_sleeps(hook: impl FnMut(Duration) + 'static) -> BlockingSleeps {
    BlockingSleeps { before: SLEEPS.replace(Some(Box::new(hook))) }
}

/// Keeps the hook of [`blocking_sleeps`] in force on this thread.
#[must_use = "sleeps are real again as soon as this is dropped"]
pub struct BlockingSleeps {
    before: Option<Hook>,
}

impl std::fmt::Debug for BlockingSleeps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockingSleeps").finish_non_exhaustive()
    }
}

impl Drop for BlockingSleeps {
    fn drop(&mut self) {
        SLEEPS.set(self.before.take());
    }
}

/// Calls the hook, if there is one.
pub(crate) fn sleeps_instead(time: Duration) -> bool {
    // Taken out while it runs: it may call blocking functions itself.
    let Some(mut hook) = SLEEPS.take() else { return false };
    hook(time);
    SLEEPS.set(Some(hook));
    true
}

thread_local! {
    static CLOCK_READS: Cell<u64> = const { Cell::new(0) };
}

/// How often this crate has read the clock on this thread.
///
/// For tests that hold a function to its price: a call that succeeds at once and has no deadline reads
/// no clock, and one that fails reads it once for each decision, and once more for each wait that
/// blocks. Take the difference of two readings
/// around the calls, on one thread.
#[must_use]
pub fn clock_reads() -> u64 {
    CLOCK_READS.get()
}

pub(crate) fn count_clock_read() {
    CLOCK_READS.set(CLOCK_READS.get() + 1);
}
