//! When a budget grants the next retry.

use std::fmt;
use std::time::Duration;

use super::{Budget, BudgetSettings, Earning, figure::Figure};
use crate::{Moment, isolation};

/// What it takes until a budget grants a retry after a failure that it knows nothing of.
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::{Budget, NextRetry, engine::Moment};
///
/// let budget = Budget::new("orders").burst(1);
/// let now = Moment::from_nanos(0);
/// let _spent = budget.withdraw(1, now);
/// assert_eq!(budget.next_retry(now), NextRetry::Answers(10));
/// println!("the next retry takes {}", budget.next_retry(now));
/// ```
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
    /// More calls: the share is used up, and time brings no more.
    Traffic,
    /// The end of one of the retries under way.
    End,
    /// Nothing helps: it earns nothing, or has too many parents.
    Never,
    /// Several of these together.
    Several,
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
            (one, other) if one == other => one,
            _ => Self::Several,
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
            Self::After(time) => write!(f, "in {} s", Figure(time.as_secs_f64())),
            Self::Traffic => f.write_str("with more calls"),
            Self::End => f.write_str("when a retry under way ends"),
            Self::Never => f.write_str("never"),
            Self::Several => f.write_str("after several things"),
        }
    }
}

impl BudgetSettings {
    /// The kind of budget, such as `token_bucket`.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert_eq!(Budget::new("orders").settings().kind(), "token_bucket");
    /// ```
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::TokenBucket { .. } => "token_bucket",
            Self::SlidingWindow { .. } => "sliding_window",
            Self::HalfFull { .. } => "half_full",
            Self::ExpiringDeposits { .. } => "expiring_deposits",
            Self::Concurrency { .. } => "concurrency",
        }
    }
}

impl Budget {
    /// The most retries that [`balance_at`](Self::balance_at) can come to with the traffic of now. For a bucket that is
    /// its burst.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// assert_eq!(Budget::new("orders").burst(20).capacity(Moment::from_nanos(0)), 20.0);
    /// ```
    #[expect(clippy::cast_precision_loss, reason = "a gauge; decisions count in whole units")]
    pub fn capacity(&self, now: Moment) -> f64 {
        crate::control::expire_now();
        let budget = isolation::view(self);
        if let Some(window) = &budget.window {
            return window.most(now) as f64;
        }
        if let Some(flight) = &budget.options.flight {
            return flight.most() as f64;
        }
        let full = budget.bucket.capacity();
        let units = if budget.options.half_full { full - full / 2 } else { full };
        units as f64 / budget.bucket.retry() as f64
    }

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
        crate::control::expire_now();
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
        let by_floor = floor.and_then(|floor| floor.grants_in(now.as_nanos()));
        match (by_balance, by_floor) {
            (NextRetry::Now, _) | (_, Some(0)) => NextRetry::Now,
            (NextRetry::After(time), Some(wait)) => {
                NextRetry::After(time.min(Duration::from_nanos(wait)))
            }
            (_, Some(wait)) => NextRetry::After(Duration::from_nanos(wait)),
            // Whoever is answered brings the floor back.
            (_, None) if floor.is_some() => NextRetry::Answers(1),
            (next, None) => next,
        }
    }

    fn next_by_balance(&self, now: Moment) -> NextRetry {
        if let Some(window) = &self.window {
            return match window.frees_at(now) {
                Some(moment) if moment == now => NextRetry::Now,
                Some(moment) => NextRetry::After(now.until(moment)),
                None => NextRetry::Traffic,
            };
        }
        if let Some(flight) = &self.options.flight {
            return match (flight.left(), flight.most()) {
                (0, 0) => NextRetry::Traffic,
                (0, _) => NextRetry::End,
                _ => NextRetry::Now,
            };
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
