//! What a budget has decided so far.

use std::sync::atomic::{AtomicU64, Ordering};

/// Exact counts of a budget's decisions since it was made.
///
/// Answered calls are not among them: counting each would put a write on the path of calls that
/// succeed at once.
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::{Budget, engine::Moment};
///
/// let budget = Budget::new("orders").burst(2);
/// let now = Moment::from_nanos(0);
/// let paid = budget.withdraw(1, now).unwrap();
/// let _second = budget.withdraw(1, now);
/// budget.give_back(paid);
/// let stats = budget.stats();
/// assert_eq!((stats.withdrawn, stats.given_back, stats.spent()), (2, 1, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BudgetStats {
    /// Retries that were granted, those that were given back included.
    pub withdrawn: u64,
    /// Retries that were refused.
    pub refused: u64,
    /// Granted retries that never started, because the call was dropped or a breaker opened.
    pub given_back: u64,
    /// Granted retries, and first attempts, that an [observing](crate::Budget::observe_only) budget would
    /// have refused.
    pub would_refuse: u64,
    /// Calls that were [shed](crate::Budget::shed) before their first attempt.
    pub shed: u64,
    /// Granted retries that the balance did not cover and the [floor](crate::Budget::floor) did.
    pub by_floor: u64,
}

impl BudgetStats {
    /// Retries that were paid for and not given back.
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.withdrawn.saturating_sub(self.given_back)
    }

    /// The counts of both together.
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self {
            withdrawn: self.withdrawn.saturating_add(other.withdrawn),
            refused: self.refused.saturating_add(other.refused),
            given_back: self.given_back.saturating_add(other.given_back),
            would_refuse: self.would_refuse.saturating_add(other.would_refuse),
            shed: self.shed.saturating_add(other.shed),
            by_floor: self.by_floor.saturating_add(other.by_floor),
        }
    }
}

/// Touched on failure paths only.
#[derive(Debug)]
pub(super) struct Counters {
    withdrawn: AtomicU64,
    refused: AtomicU64,
    given_back: AtomicU64,
    would_refuse: AtomicU64,
    shed: AtomicU64,
    by_floor: AtomicU64,
}

impl Counters {
    pub(super) const fn new() -> Self {
        Self {
            withdrawn: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            given_back: AtomicU64::new(0),
            would_refuse: AtomicU64::new(0),
            shed: AtomicU64::new(0),
            by_floor: AtomicU64::new(0),
        }
    }

    pub(super) fn count_withdrawal(&self, granted: bool) {
        let counter = if granted { &self.withdrawn } else { &self.refused };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Saturates, as the receipt of a withdrawal can be copied and handed in twice.
    pub(super) fn uncount_withdrawal(&self) {
        let fewer = |count: u64| count.checked_sub(1);
        // Fails at zero, and leaves it there.
        let _at_zero = self.withdrawn.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
    }

    pub(super) fn count_would_refuse(&self) {
        self.would_refuse.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_shed(&self) {
        self.shed.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_by_floor(&self) {
        self.by_floor.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_given_back(&self) {
        self.given_back.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn read(&self) -> BudgetStats {
        BudgetStats {
            withdrawn: self.withdrawn.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
            given_back: self.given_back.load(Ordering::Relaxed),
            would_refuse: self.would_refuse.load(Ordering::Relaxed),
            shed: self.shed.load(Ordering::Relaxed),
            by_floor: self.by_floor.load(Ordering::Relaxed),
        }
    }
}
