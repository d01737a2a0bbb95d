//! What the attribute says about a function, one setting after the other.

use std::time::Duration;

use super::{BreakerRef, BudgetRef, DeadlineRule, Site};
use crate::{
    hedge::Hedge,
    latency::{Latency, Quantile},
};

impl Site {
    /// Ends each attempt after this long.
    ///
    /// # Panics
    ///
    /// In const evaluation, if it is zero.
    #[track_caller]
    #[must_use]
    pub const fn attempt_timeout(mut self, timeout: Duration) -> Self {
        assert!(!timeout.is_zero(), "`attempt_timeout` is zero: leave it out if it is not wanted");
        self.attempt_timeout = Some(timeout);
        self
    }

    /// When attempts are started beside slow ones.
    ///
    /// # Panics
    ///
    /// In const evaluation, if that is at once.
    #[track_caller]
    #[must_use]
    pub const fn hedge(mut self, hedge: Hedge) -> Self {
        assert!(
            !hedge.is_at_once(),
            "`hedge` is zero: each call would be made several times at once"
        );
        self.hedge = Some(hedge);
        self
    }

    /// Where the deadline comes from.
    ///
    /// # Panics
    ///
    /// In const evaluation, if it is zero.
    #[track_caller]
    #[must_use]
    pub const fn deadline(mut self, rule: DeadlineRule) -> Self {
        if let DeadlineRule::After(time) = rule {
            assert!(!time.is_zero(), "`deadline` is zero: no attempt could ever start");
        }
        self.deadline = rule;
        self
    }

    /// Which budget pays.
    #[must_use]
    pub const fn budget(mut self, budget: BudgetRef) -> Self {
        self.budget = budget;
        self
    }

    /// Lets the budget shed first attempts. The call needs a gate.
    #[must_use]
    pub const fn sheds(mut self) -> Self {
        self.sheds = true;
        self
    }

    /// Which breaker is asked. The call needs a gate.
    #[must_use]
    pub const fn breaker(mut self, breaker: BreakerRef) -> Self {
        self.breaker = breaker;
        self
    }

    /// Starts no attempt that takes longer than is left, by what `latency` has seen. The call needs a
    /// gate.
    #[must_use]
    pub const fn expect(mut self, quantile: Quantile, latency: &'static Latency) -> Self {
        self.expectation = Some((quantile, latency));
        self
    }

    /// Lets the last attempt use all that is left of the deadline, without its timeout.
    #[must_use]
    pub const fn last_untimed(mut self) -> Self {
        self.last_untimed = true;
        self
    }

    /// Where it is kept how long attempts take.
    #[must_use]
    pub const fn latency_in(mut self, latency: &'static Latency) -> Self {
        self.latency = Some(latency);
        self
    }

    /// Marks that the policy is another for each type or each call.
    #[must_use]
    pub const fn varying(mut self) -> Self {
        self.varies = true;
        self
    }

    /// Marks a function whose error can say that an attempt timed out, though attempts have no timeout.
    #[must_use]
    pub const fn times_out(mut self) -> Self {
        self.times_out = true;
        self
    }

    /// Marks a function without a loop around its body.
    #[must_use]
    pub const fn single(mut self) -> Self {
        self.single = true;
        self
    }

    /// Marks a function that waits on its thread.
    #[must_use]
    pub const fn blocking(mut self) -> Self {
        self.blocking = true;
        self
    }
}
