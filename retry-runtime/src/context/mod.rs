//! What is ambient: the facts about the attempt that is being polled, in one thread-local word group.

mod frames;

use std::{
    future::Future,
    pin::Pin,
    task::{Context as TaskContext, Poll},
};

use pin_project_lite::pin_project;

use crate::{Moment, report, side};

pub(crate) use frames::{ambient, began_before, enclosing, enter, next_call, running_attempt};

/// The facts about the running attempt that calls inside it see. Immutable while it runs, pushed
/// and popped around each poll; whatever changes about a call lives in the side table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// In this order, for the sake of the frames, which have another.
#[repr(C)]
pub(crate) struct Ambient {
    /// No call below may run past this.
    pub(crate) deadline: Moment,
    /// The running call's number in the upper 56 bits, the flags in the lower 8.
    call_and_flags: u64,
    /// The report scope in the upper 20 bits, the isolated test in the next 12, the nearest budget's id
    /// in the lower 32.
    scope_test_budget: u64,
    /// The attempt's number.
    pub(crate) attempt: u32,
    /// Stands for the running call's site in derived keys.
    pub(crate) site: u32,
}

const _: () = assert!(size_of::<Ambient>() <= 32, "each word more is paid for on every poll");

/// Annotated calls in here run once.
pub(crate) const SUPPRESS: u32 = 1;
/// An enclosing call that suppresses is `idempotent`.
pub(crate) const IDEMPOTENT: u32 = 1 << 1;
/// An enclosing call that suppresses is repeating: attempt 2 or later.
pub(crate) const REPEATING: u32 = 1 << 2;
/// A copy of an attempt's context, in a scope or carried elsewhere: the call it names may have ended.
pub(crate) const CARRIED: u32 = 1 << 3;
/// Retries are switched off in this scope.
pub(crate) const OFF: u32 = 1 << 4;
/// Polled as a future, on a thread that other tasks may be waiting for.
pub(crate) const POLLED: u32 = 1 << 5;

const FLAG_BITS: u32 = 8;
const FLAGS: u64 = (1 << FLAG_BITS) - 1;
const BUDGET_BITS: u32 = 32;
const BUDGET: u64 = (1 << BUDGET_BITS) - 1;
const TEST_BITS: u32 = 12;
const SCOPE_SHIFT: u32 = BUDGET_BITS + TEST_BITS;
/// The highest number of an isolated test.
#[cfg(feature = "testing")]
pub(crate) const LAST_TEST: u32 = (1 << TEST_BITS) - 1;
/// The highest number of a report scope.
pub(crate) const LAST_SCOPE: u32 = (1 << (64 - SCOPE_SHIFT)) - 1;

/// The number of a call, where the context has it: above the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallNumber(u64);

impl CallNumber {
    #[inline]
    pub(crate) const fn new(number: u64) -> Self {
        Self(number << FLAG_BITS)
    }

    #[inline]
    pub(crate) const fn get(self) -> u64 {
        self.0 >> FLAG_BITS
    }

    #[inline]
    #[must_use]
    pub(crate) const fn next(self) -> Self {
        Self(self.0 + Self::new(1).0)
    }
}

impl Ambient {
    /// Outside of everything.
    pub(crate) const ROOT: Self = Self {
        deadline: Moment::NEVER,
        call_and_flags: 0,
        attempt: 0,
        site: 0,
        scope_test_budget: 0,
    };

    /// The first attempt of a call.
    #[inline]
    pub(crate) const fn new(
        deadline: Moment,
        call: CallNumber,
        flags: u32,
        site: u32,
        budget: u32,
    ) -> Self {
        Self {
            deadline,
            call_and_flags: call.0 | flags as u64,
            attempt: 1,
            site,
            scope_test_budget: budget as u64,
        }
    }

    /// The running call, or 0. Never used again for another one.
    #[inline]
    pub(crate) const fn call(self) -> u64 {
        CallNumber(self.call_and_flags).get()
    }

    /// The lower half of the running call's number, which tells it from all that are likely around.
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is what is wanted")]
    #[inline]
    pub(crate) const fn call_half(self) -> u32 {
        self.call() as u32
    }

    /// The nearest budget's id, or 0.
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is the budget's")]
    #[inline]
    pub(crate) const fn budget(self) -> u32 {
        self.scope_test_budget as u32
    }

    #[must_use]
    pub(crate) const fn with_deadline(mut self, deadline: Moment) -> Self {
        self.deadline = deadline;
        self
    }

    #[inline]
    pub(crate) const fn has(self, flag: u32) -> bool {
        self.call_and_flags & flag as u64 != 0
    }

    #[inline]
    pub(crate) const fn flags(self) -> u32 {
        (self.call_and_flags & FLAGS) as u32
    }

    #[inline]
    #[must_use]
    pub(crate) const fn with_flags(mut self, flags: u32) -> Self {
        self.call_and_flags = self.call_and_flags & !FLAGS | flags as u64;
        self
    }

    /// The report scope, or 0.
    #[inline]
    pub(crate) const fn scope(self) -> u32 {
        (self.scope_test_budget >> SCOPE_SHIFT) as u32
    }

    /// The isolated test that everything in here belongs to, or 0.
    #[cfg(feature = "testing")]
    #[inline]
    pub(crate) const fn test(self) -> u32 {
        (self.scope_test_budget >> BUDGET_BITS) as u32 & LAST_TEST
    }

    /// In the same report scope and the same test as `other`.
    #[inline]
    #[must_use]
    pub(crate) const fn within(mut self, other: Self) -> Self {
        self.scope_test_budget =
            self.scope_test_budget & BUDGET | other.scope_test_budget & !BUDGET;
        self
    }

    #[must_use]
    pub(crate) const fn with_scope(mut self, scope: u32) -> Self {
        let others = (1 << SCOPE_SHIFT) - 1;
        self.scope_test_budget = (scope as u64) << SCOPE_SHIFT | self.scope_test_budget & others;
        self
    }

    #[cfg(feature = "testing")]
    #[must_use]
    pub(crate) const fn with_test(mut self, test: u32) -> Self {
        let others = !((LAST_TEST as u64) << BUDGET_BITS);
        self.scope_test_budget = self.scope_test_budget & others | (test as u64) << BUDGET_BITS;
        self
    }
}

pin_project! {
    /// A future whose polls see the given facts.
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct Scoped<F> {
        #[pin]
        future: F,
        ambient: Ambient,
    }
}

impl<F> Scoped<F> {
    pub(crate) const fn new(ambient: Ambient, future: F) -> Self {
        Self { future, ambient: ambient.with_flags(ambient.flags() | CARRIED) }
    }
}

impl<F: Future> Future for Scoped<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<F::Output> {
        let this = self.project();
        let _entered = enter(this.ambient);
        this.future.poll(task)
    }
}

/// The context of the running attempt, to be carried to where it does not follow by itself.
///
/// Everything polled within an attempt sees its context: awaits, `join!`, `select!`,
/// `FuturesUnordered`. A spawned task does not. Carry the context there, and calls in the task inherit
/// the deadline, run once where the attempt suppresses, and appear in the same report:
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::Context;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let context = Context::capture();
/// tokio::spawn(context.scope(async { /* calls in here know where they belong */ })).await.unwrap();
/// # }
/// ```
///
/// A destructor that runs because an attempt was cancelled runs outside of its context.
#[derive(Clone, Copy, Debug)]
pub struct Context(Ambient);

impl Context {
    /// The context that is in force: that of the attempt that is being polled, with the limits and
    /// scopes around it.
    #[must_use]
    pub fn capture() -> Self {
        // Made now, while the enclosing calls are known.
        let _key = side::current_key();
        let ambient = ambient();
        report::carry(ambient.scope());
        Self(ambient)
    }

    /// No attempt, no deadline, no suppression: for work that outlives the call it was started from.
    #[must_use]
    pub fn root() -> Self {
        // This steps out of calls, not out of tests.
        Self(Ambient::ROOT.within(ambient()).with_scope(0))
    }

    /// The future, polled in this context.
    pub const fn scope<F: Future>(self, future: F) -> Scoped<F> {
        Scoped::new(self.0, future)
    }

    /// Runs a closure in this context, on whichever thread: for `spawn_blocking`, and for threads of your
    /// own.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Context;
    ///
    /// let context = Context::capture();
    /// std::thread::spawn(move || context.run(|| { /* blocking calls know where they belong */ }));
    /// ```
    pub fn run<T>(self, run: impl FnOnce() -> T) -> T {
        let flags = self.0.flags() & !POLLED | CARRIED;
        let _entered = enter(&self.0.with_flags(flags));
        run()
    }
}
