//! When a budget will grant a retry again.

use std::{fmt, time::Duration};

use super::{Budget, BudgetSettings, figure::Figure};
use crate::{Moment, isolation};

/// What has to happen before a budget grants the next retry, at the price of one. What a budget above it
/// says, and a switch, is not in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NextRetry {
    /// Nothing: it grants one now.
    Now,
    /// So many calls have to succeed, or to earn as much otherwise: most budgets earn by every answer.
    Earned(u64),
    /// So much time has to pass.
    Time(Duration),
    /// More calls have to come: the share is used up, and time brings no more.
    Traffic,
    /// One of the retries under way has to end.
    End,
    /// It never will.
    Never,
}

impl fmt::Display for NextRetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Now => f.write_str("now"),
            Self::Earned(1) => f.write_str("after 1 success"),
            Self::Earned(calls) => write!(f, "after {calls} successes"),
            Self::Time(time) => write!(f, "in {} s", Figure(time.as_secs_f64())),
            Self::Traffic => f.write_str("with more calls"),
            Self::End => f.write_str("when a retry under way ends"),
            Self::Never => f.write_str("never"),
        }
    }
}

impl BudgetSettings {
    /// The kind of budget, such as `token_bucket`.
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
    /// What has to happen before it grants the next retry.
    pub fn next_retry(&self, now: Moment) -> NextRetry {
        isolation::view(self).next_here(now)
    }

    /// The most retries that [`balance_at`](Self::balance_at) can come to with the traffic of now.
    #[expect(clippy::cast_precision_loss, reason = "a gauge; decisions count in whole units")]
    pub fn capacity(&self, now: Moment) -> f64 {
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

    /// What it was told, in numbers.
    pub(crate) fn numbers(&self) -> BudgetSettings {
        isolation::view(self).settings()
    }

    fn next_here(&self, now: Moment) -> NextRetry {
        if self.options.observe_only {
            return NextRetry::Now;
        }
        let balance = self.next_of_balance(now);
        let floor = self.options.floor.as_ref().and_then(|(_, floor)| floor.next(now.as_nanos()));
        match (balance, floor.map(Duration::from_nanos)) {
            (NextRetry::Now, _) | (_, Some(Duration::ZERO)) => NextRetry::Now,
            (NextRetry::Time(time), Some(floor)) => NextRetry::Time(time.min(floor)),
            (_, Some(floor)) => NextRetry::Time(floor),
            (balance, None) => balance,
        }
    }

    fn next_of_balance(&self, now: Moment) -> NextRetry {
        if let Some(window) = &self.window {
            if window.left(Some(now)) > 0 {
                return NextRetry::Now;
            }
            // What it holds leaves it step by step, retries and attempts alike.
            let (first, steps) = window.step(now);
            let (length, _) = window.step(now.after(Duration::from_nanos(first)));
            let after = (0..=steps).map(|step| first.saturating_add(length.saturating_mul(step)));
            let frees = |wait: &u64| window.left(Some(now.after(Duration::from_nanos(*wait)))) > 0;
            let next = after.into_iter().find(frees).map(Duration::from_nanos);
            return next.map_or(NextRetry::Traffic, NextRetry::Time);
        }
        if let Some(flight) = &self.options.flight {
            return match (flight.left(), flight.most()) {
                (0, 0) => NextRetry::Traffic,
                (0, _) => NextRetry::End,
                _ => NextRetry::Now,
            };
        }
        let bucket = &self.bucket;
        let needed =
            if self.options.half_full { bucket.capacity() / 2 + 1 } else { bucket.retry() };
        match needed.saturating_sub(bucket.available()) {
            0 => NextRetry::Now,
            _ if bucket.earned() == 0 || needed > bucket.capacity() => NextRetry::Never,
            missing => NextRetry::Earned(missing.div_ceil(bucket.earned())),
        }
    }
}
