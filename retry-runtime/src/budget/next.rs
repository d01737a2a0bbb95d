//! When a budget grants the next retry.

use std::fmt;
use std::time::Duration;

use super::{Budget, Earning};
use crate::{Moment, isolation};

/// What it takes until a budget grants a retry after a failure that it knows nothing of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NextRetry {
    /// Nothing.
    Now,
    /// So many calls that are answered.
    Answers(u64),
    /// So many calls that succeed.
    Successes(u64),
    /// So much time.
    After(Duration),
    /// Nothing helps: it earns nothing, or has too many parents.
    Never,
    /// What a window holds, or the calls under way, or several things together: no one number says it.
    Unknown,
}

impl NextRetry {
    /// What two budgets together wait for, of which each must grant the retry.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Never, _) | (_, Self::Never) => Self::Never,
            (Self::Now, next) | (next, Self::Now) => next,
            (Self::Answers(one), Self::Answers(two)) => Self::Answers(one.max(two)),
            (Self::Successes(one), Self::Successes(two)) => Self::Successes(one.max(two)),
            (Self::After(one), Self::After(two)) => Self::After(one.max(two)),
            _ => Self::Unknown,
        }
    }
}

impl fmt::Display for NextRetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Now => f.write_str("now"),
            Self::Answers(1) => f.write_str("after 1 answered call"),
            Self::Answers(calls) => write!(f, "after {calls} answered calls"),
            Self::Successes(1) => f.write_str("after 1 call that succeeds"),
            Self::Successes(calls) => write!(f, "after {calls} calls that succeed"),
            Self::After(time) => write!(f, "in {time:?}"),
            Self::Never => f.write_str("never"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

impl Budget {
    /// What it takes until the next retry is granted, here and in the budgets above, as of `now` and if
    /// nobody else takes it. Exact for token buckets; switches are not asked.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::Moment; } }
    /// use stormless::{Budget, NextRetry, engine::Moment};
    ///
    /// let budget = Budget::new("orders").burst(1).ratio(0.3);
    /// let now = Moment::from_nanos(0);
    /// assert_eq!(budget.next_retry(now), NextRetry::Now);
    /// assert!(budget.withdraw(1, now).is_some());
    /// assert_eq!(budget.next_retry(now), NextRetry::Answers(4));
    /// ```
    pub fn next_retry(&self, now: Moment) -> NextRetry {
        let budget = isolation::view(self);
        if budget.options.parent.is_some() && budget.fault().is_some() {
            return NextRetry::Never;
        }
        let levels = budget.levels().map(|level| level.next_here(now));
        levels.fold(NextRetry::Now, NextRetry::and)
    }

    /// Of this level alone.
    fn next_here(&self, now: Moment) -> NextRetry {
        if self.options.observe_only {
            return NextRetry::Now;
        }
        let by_balance = self.next_by_balance(now);
        let floor = self.options.floor.as_ref();
        match (by_balance, floor.and_then(|floor| floor.grants_in(now.as_nanos()))) {
            (NextRetry::Now, _) | (_, Some(0)) => NextRetry::Now,
            (_, Some(wait)) => NextRetry::After(Duration::from_nanos(wait)),
            // Whoever is answered brings the floor back.
            (_, None) if floor.is_some() => NextRetry::Answers(1),
            (next, None) => next,
        }
    }

    fn next_by_balance(&self, now: Moment) -> NextRetry {
        if self.window.is_some() || self.options.flight.is_some() {
            return if self.left(Some(now)) > 0.0 { NextRetry::Now } else { NextRetry::Unknown };
        }
        let bucket = &self.bucket;
        let wanted =
            if self.options.half_full { bucket.capacity() / 2 + 1 } else { bucket.retry() };
        let missing = wanted.saturating_sub(bucket.available());
        if missing == 0 {
            return NextRetry::Now;
        }
        match (bucket.earned(), self.options.earning) {
            (0, _) => NextRetry::Never,
            (earned, Earning::Answers) => NextRetry::Answers(missing.div_ceil(earned)),
            (earned, _) => NextRetry::Successes(missing.div_ceil(earned)),
        }
    }
}

#[cfg(test)]
#[path = "next/tests.rs"]
mod tests;
