//! What changes about a site.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

#[cfg(feature = "adaptive")]
use crate::backoff::Growth;
use crate::{Budget, StopReason, machine::Facts, tracing::Silence};

use super::{
    errors::{Errors, Tally},
    shards::Sharded,
};

/// How many reasons are counted.
const REASONS: usize = StopReason::ALL.len();

/// What changes about a site: its counters, its switch and its own bucket.
#[derive(Debug)]
pub struct SiteState {
    own: Budget,
    pub(crate) silence: Silence,
    off: AtomicBool,
    warned: AtomicBool,
    looked: AtomicBool,
    blocks: AtomicBool,
    varies: AtomicBool,
    #[cfg(feature = "adaptive")]
    linear: AtomicBool,
    at_once: Sharded,
    counters: [AtomicU64; Count::ALL],
    stops: [AtomicU64; REASONS],
    errors: Errors,
}

/// What is counted for each site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// Calls whose first attempt succeeded; only where successes are counted.
    AtOnce,
    /// Calls that succeeded after a retry.
    Recovered,
    /// Attempts that failed.
    Failures,
    /// Attempts that followed a failure, or a slow attempt.
    Retries,
    /// Failures that suppression kept from being retried by anyone.
    LostToNesting,
    /// Panics of hooks, contained.
    HookPanics,
    /// Calls that ended in a panic of the body.
    Panics,
    /// Attempts that were started beside a slow one; among the retries too.
    Hedges,
    /// Calls that failed, were dropped or panicked after a retry had started.
    FailedAfterRetry,
    /// Attempts that went on past a limit, because the error type cannot express the cut.
    Uncut,
}

impl Count {
    const ALL: usize = Self::Uncut as usize + 1;
}

/// What the bucket of a site's own is called.
pub(crate) const OWN: &str = "(own)";

impl SiteState {
    /// All zero, switched on, with a full bucket.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            own: Budget::new(OWN),
            silence: Silence::new(),
            off: AtomicBool::new(false),
            warned: AtomicBool::new(false),
            looked: AtomicBool::new(false),
            blocks: AtomicBool::new(false),
            varies: AtomicBool::new(false),
            #[cfg(feature = "adaptive")]
            linear: AtomicBool::new(false),
            at_once: Sharded::new(),
            counters: [const { AtomicU64::new(0) }; Count::ALL],
            stops: [const { AtomicU64::new(0) }; REASONS],
            errors: Errors::new(),
        }
    }

    /// The bucket that the site has if it names no other.
    pub(crate) const fn own(&'static self) -> &'static Budget {
        &self.own
    }

    pub(crate) fn add(&self, count: Count) {
        self.add_many(count, 1);
    }

    pub(crate) fn add_many(&self, count: Count, many: u64) {
        match count {
            // The one count that a healthy service pays for.
            Count::AtOnce => self.at_once.add(many),
            _ => {
                self.counters[count as usize].fetch_add(many, Ordering::Relaxed);
            }
        }
    }

    pub(crate) fn get(&self, count: Count) -> u64 {
        match count {
            Count::AtOnce => self.at_once.get(),
            _ => self.counters[count as usize].load(Ordering::Relaxed),
        }
    }

    /// Counts a failed attempt. Gives back the label under which it is counted, of which a site has only
    /// so many, whatever is leaked.
    pub(crate) fn failed(&self, facts: &Facts) -> &'static str {
        self.add(Count::Failures);
        let tally = self.errors.of(facts);
        tally.add_failure();
        tally.label()
    }

    /// Counts a stop at a failure; under this label it is counted.
    pub(crate) fn stopped_at(&self, facts: &Facts, reason: StopReason) -> &'static str {
        self.stopped(reason);
        let tally = self.errors.of(facts);
        tally.add_stop(reason);
        tally.label()
    }

    /// Counts a stop without a failure: the call was dropped.
    pub(crate) fn stopped(&self, reason: StopReason) {
        self.stops[reason as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// What failed, in the order in which it came up.
    pub(crate) fn errors(&self) -> impl Iterator<Item = &Tally> {
        self.errors.iter()
    }

    /// Whether there is still a warning to be given; once.
    pub(crate) fn warns(&self) -> bool {
        !self.warned.swap(true, Ordering::Relaxed)
    }

    /// Whether nobody has looked yet at where the blocking function runs; once.
    pub(crate) fn looks(&self) -> bool {
        !self.looked.load(Ordering::Relaxed) && !self.looked.swap(true, Ordering::Relaxed)
    }

    /// Marks a blocking function that was called inside an async runtime; `true` if it was unmarked.
    pub(crate) fn mark_blocks(&self) -> bool {
        !self.blocks.swap(true, Ordering::Relaxed)
    }

    pub(crate) fn blocks(&self) -> bool {
        self.blocks.load(Ordering::Relaxed)
    }

    /// Not all calls have the same policy.
    pub(super) fn note_variety(&self) {
        self.varies.store(true, Ordering::Relaxed);
    }

    pub(super) fn varies(&self) -> bool {
        self.varies.load(Ordering::Relaxed)
    }

    /// How the function's delays grew last.
    #[cfg(feature = "adaptive")]
    pub(crate) fn growth(&self) -> Growth {
        if self.linear.load(Ordering::Relaxed) { Growth::Linear } else { Growth::Exponential }
    }

    #[cfg(feature = "adaptive")]
    pub(crate) fn set_growth(&self, growth: Growth) {
        if self.growth() != growth {
            self.linear.store(growth == Growth::Linear, Ordering::Relaxed);
        }
    }

    /// How many calls have stopped for this reason.
    pub fn stops(&self, reason: StopReason) -> u64 {
        self.stops[reason as usize].load(Ordering::Relaxed)
    }

    pub(crate) fn is_off(&self) -> bool {
        self.off.load(Ordering::Relaxed)
    }

    pub(crate) fn set_off(&self, off: bool) {
        self.off.store(off, Ordering::Relaxed);
    }
}

impl Default for SiteState {
    fn default() -> Self {
        Self::new()
    }
}
