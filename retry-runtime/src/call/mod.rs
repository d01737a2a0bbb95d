//! One logical call: what a generated loop drives.
//!
//! The state machine of a call, with the clock, the timer and the generator that its decisions need.
//! Until the first failure none of the three is touched, unless the call has a deadline.

#[cfg(feature = "adaptive")]
mod adapt;
mod ask;
mod attempt;
mod begin;
mod beside;
mod blocking;
mod cold;
mod cuts;
mod decide;
mod driven;
mod dropped;
mod ending;
mod failure;
mod gate;
mod gated;
mod given;
mod hedge;
mod hedging;
mod jitter;
mod judge;
mod measure;
mod outer;
mod passes;
mod pause;
mod purse;
#[cfg(feature = "tokio-rt")]
mod runtime;
mod slowly;
mod telling;
mod tracing;
mod watch;

use std::pin::Pin;

use crate::{
    Budget, RetryError, StopReason,
    context::{Ambient, IDEMPOTENT, SUPPRESS},
    machine::Nesting,
    site::Site,
};

pub use cuts::{
    Cuts, Ended, FromAttemptTimeout, FromBreakerOpen, FromDeadlineExceeded, Later, Plain, Refusing,
    Wrap, Wrapped, breaker_from, by_cut, deadline_by_trait, deadline_from, deadline_never, or_cut,
    timeout_from, timeout_never,
};
pub use gate::Gate;
pub use given::Given;
pub(crate) use hedge::{Beside, Round, Timing};
pub use hedge::{HedgedFuture, attempts, untold};
pub use judge::{Attempted, Fallible, by_classifier, by_result, by_trait};

pub use passes::NoGate;

use cold::Cold;
use passes::Passes;

/// Where a call is. In this order, so that one comparison tells whether an attempt can simply go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// An attempt has started and waits to be polled again.
    Running,
    /// The body is being polled, or about to be, or its result is looked at: what unwinds now is theirs.
    Polling,
    /// The attempt was ended, or the first one kept from starting.
    Cut,
    /// No attempt follows.
    Done,
    /// A retry is paid for, and the wait before it is not over.
    Sleeping,
    /// The wait is over, and the attempt's arguments are being made.
    Due,
    /// The first attempt's arguments are being made.
    Fresh,
    /// The first attempt has not started, and should not: there is no time for it.
    Precluded,
}

impl Phase {
    /// Whether something is to be done before the body is polled.
    #[inline]
    const fn needs_start(self) -> bool {
        matches!(self, Self::Sleeping | Self::Due | Self::Fresh | Self::Precluded)
    }

    /// Whether no attempt has started.
    const fn is_unstarted(self) -> bool {
        matches!(self, Self::Fresh | Self::Precluded)
    }
}

/// An answer earns: neither does the nearest enclosing call use the same budget, nor is this a
/// suppressed call in a repetition. Beside the flags of the context around the call.
const EARNS: u32 = 1 << 7;

/// Stands for no budget: nothing is ever withdrawn from it, so it stays full.
static FREE: Budget = Budget::new("none");

/// The budget of calls for which nothing pays.
pub(crate) const fn free() -> &'static Budget {
    &FREE
}

/// As many attempts as this, or more.
const MANY: u8 = u8::MAX;

/// A logical call in progress.
///
/// It lies in the future of every annotated function, so each word counts. In this order, so that a
/// call without surroundings starts with eight constants in one word.
#[derive(Debug)]
#[repr(C)]
#[must_use = "a call does nothing until its attempts are polled"]
pub struct Call {
    /// What the attempts see.
    ambient: Ambient,
    site: &'static Site,
    /// What pays; [`FREE`] if nothing does.
    budget: &'static Budget,
    /// Made at the first failure, or at the first `Pending` of a call that may be cut.
    cold: Option<Pin<Box<Cold>>>,
    /// The most attempts for which there was time at the start; from [`MANY`] on see the box.
    allowed: u8,
    /// The flags of the context around this call, less what the call steps out of; and [`EARNS`].
    around: u8,
    phase: Phase,
    /// Why not even the first attempt should start; once the call is over, why it stopped.
    reason: Option<StopReason>,
    /// The lower half of the number of the call around this one, or 0.
    outer: u32,
}

impl Call {
    /// The call is over, and this is its result.
    #[inline]
    pub fn end<R>(self, result: R) -> R {
        debug_assert!(self.cold.is_none(), "whoever ended the call has dropped its box");
        // Nothing is left to be dropped, and the compiler does not see that by itself.
        std::mem::forget(self);
        result
    }

    /// The dependency has answered.
    #[inline]
    fn earn(&self) {
        if self.budget.notices_success() {
            self.earn_below_full();
        }
    }

    /// Out of line, so that a success at a full bucket inlines nothing but a load.
    #[inline(never)]
    fn earn_below_full(&self) {
        // Of the retry that succeeded, if it was one.
        let paid = self.cold.as_ref().and_then(|cold| cold.paid);
        if self.is(EARNS) {
            self.budget.note_success(paid);
        }
        self.budget.end_call(paid);
    }

    /// What pays for retries, if anything does.
    fn budget(&self) -> Option<&'static Budget> {
        (!std::ptr::eq(self.budget, &raw const FREE)).then_some(self.budget)
    }

    #[inline]
    const fn is(&self, flag: u32) -> bool {
        self.around as u32 & flag != 0
    }

    /// Who else may repeat a failure of this call.
    const fn nesting(&self) -> Nesting {
        if self.is(SUPPRESS) {
            Nesting::Suppressed { outer_idempotent: self.is(IDEMPOTENT) }
        } else {
            Nesting::Free
        }
    }

    /// The call's result as a `RetryError`, with its record.
    ///
    /// # Errors
    ///
    /// Where the last attempt failed or was cut.
    #[inline]
    pub fn finish<T, E>(&mut self, attempted: Wrapped<T, E>) -> Result<T, RetryError<E>> {
        match attempted {
            Wrapped::Ran(Ok(value)) => Ok(value),
            Wrapped::Ran(Err(error)) => Err(self.retry_error(Some(error), None)),
            Wrapped::Cut(cut) => Err(self.retry_error(None, Some(cut))),
        }
    }
}

impl Drop for Call {
    #[inline]
    fn drop(&mut self) {
        if self.phase != Phase::Done {
            self.abandon();
        }
    }
}
