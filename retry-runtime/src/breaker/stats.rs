//! What a breaker has seen so far.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of what a breaker was told and of what it did, since it was made.
///
/// What came [`late`](Self::late) is counted as nothing else.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::Breaker;
///
/// let breaker = Breaker::new("orders");
/// breaker.open();
/// let stats = breaker.stats();
/// assert_eq!((stats.opened, stats.rejected), (1, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BreakerStats {
    /// Calls that the dependency answered, also with a refusal of its own such as a 404. Counted only
    /// while [`control::count_successes`](crate::control::count_successes) is on: counting each would
    /// put a write on the path of calls that succeed.
    pub successes: u64,
    /// Calls that failed, timeouts included.
    pub failures: u64,
    /// Calls that failed because no answer came in time.
    pub timeouts: u64,
    /// Calls that took longer than the limit of `slow_calls`, whatever they ended in.
    pub slow: u64,
    /// Calls that were refused.
    pub rejected: u64,
    /// Calls that were dropped before they ended.
    pub cancelled: u64,
    /// Calls that say nothing about the dependency, such as failures of this process's own.
    pub ignored: u64,
    /// Failures, and successes of probes or where rates are measured, that changed nothing because the
    /// breaker had opened or closed since the call was admitted, or the probe's lease had run out.
    pub late: u64,
    /// How often it opened, by hand included.
    pub opened: u64,
}

/// What is counted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Count {
    Successes,
    Failures,
    Timeouts,
    Slow,
    Rejected,
    Cancelled,
    Ignored,
    Late,
    Opened,
}

const COUNTS: usize = Count::Opened as usize + 1;

#[derive(Debug)]
pub(super) struct Counters([AtomicU64; COUNTS]);

impl Counters {
    pub(super) const fn new() -> Self {
        Self([const { AtomicU64::new(0) }; COUNTS])
    }

    pub(super) fn add(&self, count: Count) {
        self.0[count as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn read(&self) -> BreakerStats {
        let get = |count: Count| self.0[count as usize].load(Ordering::Relaxed);
        BreakerStats {
            successes: get(Count::Successes),
            failures: get(Count::Failures),
            timeouts: get(Count::Timeouts),
            slow: get(Count::Slow),
            rejected: get(Count::Rejected),
            cancelled: get(Count::Cancelled),
            ignored: get(Count::Ignored),
            late: get(Count::Late),
            opened: get(Count::Opened),
        }
    }
}

impl BreakerStats {
    /// The counts of both together.
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self {
            successes: self.successes.saturating_add(other.successes),
            failures: self.failures.saturating_add(other.failures),
            timeouts: self.timeouts.saturating_add(other.timeouts),
            slow: self.slow.saturating_add(other.slow),
            rejected: self.rejected.saturating_add(other.rejected),
            cancelled: self.cancelled.saturating_add(other.cancelled),
            ignored: self.ignored.saturating_add(other.ignored),
            late: self.late.saturating_add(other.late),
            opened: self.opened.saturating_add(other.opened),
        }
    }
}

/// What a closed breaker goes by: what its rules count, as far as it lies in the window. What no rule
/// asks for is 0.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::Breaker;
///
/// let recent = Breaker::new("orders").failure_rate(0.5).recent();
/// println!("{} of {} calls failed", recent.failures, recent.calls);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BreakerRecent {
    /// Calls in the window.
    pub calls: u64,
    /// Those of them that failed.
    pub failures: u64,
    /// Those of them that were slow.
    pub slow: u64,
    /// Failures since the last success.
    pub in_a_row: u64,
    /// Timeouts since the last success.
    pub timeouts_in_a_row: u64,
}
