//! What a budget is told: attempts that ended, calls that begin and end.
//!
//! Most budgets want to know of successes alone, and of those only below full. Each of the others
//! costs a load where it is not wanted.

use super::flight::Flight;
use super::options::{BEGINS, ENDS, Earning, FAILURES, SAMPLES, TIMES};
use super::withdrawal::Withdrawal;
use super::{Budget, UNITS_OF_FAILURE};
use crate::{Classification, Hint, Kind, Moment, clock, control};

impl Budget {
    /// One logical call was answered: it succeeded, or the dependency itself said why not.
    ///
    /// A full bucket costs one relaxed load. A budget that looks at attempts instead, such as a sliding
    /// window, is left alone, and so is one that earns by something else.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// let budget = Budget::new("orders").burst(2).ratio(0.5);
    /// let _spent = budget.withdraw(2, Moment::from_nanos(0));
    /// budget.deposit();
    /// assert_eq!(budget.balance(), 0.5);
    /// ```
    #[inline]
    pub fn deposit(&self) {
        if self.window.is_none() && self.bucket.is_below_full() {
            self.note_answer();
        }
    }

    /// Whether [`note_success`](Self::note_success) would change anything.
    #[inline]
    pub(crate) fn notices_success(&self) -> bool {
        self.bucket.is_below_full()
    }

    /// Whether [`record_attempt`](Self::record_attempt) does anything: true for sliding windows
    /// and others that count attempts.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert!(Budget::sliding_window("search").wants_samples());
    /// assert!(!Budget::new("orders").wants_samples());
    /// ```
    #[inline]
    pub fn wants_samples(&self) -> bool {
        self.options.hooks & SAMPLES != 0
    }

    /// Whether it makes a difference to this budget that an attempt failed.
    pub(crate) fn wants_failures(&self) -> bool {
        self.options.hooks & (FAILURES | SAMPLES) != 0
    }

    /// An attempt has ended, first or not: a sample for a sliding window. Calls record an attempt
    /// when it ends and not when it starts, so one that still runs is no sample yet.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// let budget = Budget::sliding_window("search").min_samples(0);
    /// let now = Moment::from_nanos(0);
    /// (0..30).for_each(|_| budget.record_attempt(now));
    /// assert_eq!(budget.balance_at(now), 3.0);
    /// ```
    pub fn record_attempt(&self, now: Moment) {
        if let Some(window) = self.window.as_ref().filter(|window| !window.is_of_deposits()) {
            window.record(now);
        }
    }

    /// An attempt succeeded, for loops that are written by hand: it earns, and what else the budget
    /// makes of it. `paid` is the receipt of the retry that it was; `None` for a first attempt.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// let budget = Budget::new("orders").burst(2).ratio(0.5);
    /// let now = Moment::from_nanos(0);
    /// let retry = budget.withdraw(1, now);
    /// assert!(retry.is_some());
    /// // … the retry runs, and succeeds
    /// budget.succeeded(retry, now);
    /// assert_eq!(budget.balance(), 1.5);
    /// ```
    pub fn succeeded(&self, paid: Option<Withdrawal>, now: Moment) {
        self.note_success_at(paid, now);
        self.release(paid);
    }

    /// An attempt failed, for loops that are written by hand: a sample, an answer or a cost, as the
    /// budget sees it. `paid` is the receipt of the retry that it was; `None` for a first attempt.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, Classification, engine::Moment};
    ///
    /// let budget = Budget::new("orders").burst(2).ratio(0.5);
    /// let now = Moment::from_nanos(0);
    /// let retry = budget.withdraw(1, now);
    /// // The server answered that there is no such order: that earns, too.
    /// budget.failed(&Classification::permanent().executed(), retry, now);
    /// assert_eq!(budget.balance(), 1.5);
    /// ```
    pub fn failed(&self, failure: &Classification, paid: Option<Withdrawal>, now: Moment) {
        self.note_failure(failure, paid, now);
        self.release(paid);
        if failure.is_answer() {
            self.note_answer_at(now);
        }
    }

    /// A call begins, for loops that are written by hand. Only budgets that look at calls under way want
    /// to know.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// let budget = Budget::envoy("orders");
    /// budget.begin_call();
    /// // … attempts
    /// budget.end_call(None);
    /// ```
    pub fn begin_call(&self) {
        self.levels().filter_map(|level| level.options.flight.as_ref()).for_each(Flight::begin);
    }

    /// A call that [began](Self::begin_call) is over, however it ended. `running` is the receipt of a retry
    /// that was still running, because the call was dropped.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// let budget = Budget::envoy("orders");
    /// budget.begin_call();
    /// let retry = budget.withdraw(1, Moment::from_nanos(0));
    /// // The caller drops the call while the retry runs.
    /// budget.end_call(retry);
    /// assert_eq!(budget.balance(), 3.0);
    /// ```
    pub fn end_call(&self, running: Option<Withdrawal>) {
        if self.options.hooks & ENDS == 0 {
            return;
        }
        self.release(running);
        self.levels().filter_map(|level| level.options.flight.as_ref()).for_each(Flight::end);
        self.leave_key();
    }

    /// Whether a call has to tell that it begins.
    pub(super) const fn wants_begins(&self) -> bool {
        self.options.hooks & BEGINS != 0
    }

    /// A call succeeded.
    pub(crate) fn note_success(&self, paid: Option<Withdrawal>) {
        // Below full only, so that numbers which are over do not keep it there.
        control::expire_now();
        self.note_success_at(paid, self.clock());
    }

    fn note_answer(&self) {
        control::expire_now();
        self.note_answer_at(self.clock());
    }

    /// A retry that was under way is not any more.
    pub(crate) fn release(&self, paid: Option<Withdrawal>) {
        let Some(paid) = paid else { return };
        for (place, level) in self.levels().enumerate() {
            if let Some(flight) = level.options.flight.as_ref().filter(|_| paid.has_taken(place)) {
                flight.end_retry();
            }
        }
    }

    /// Now, if anybody here wants to know.
    fn clock(&self) -> Moment {
        let wanted = self.levels().any(|level| level.options.hooks & TIMES != 0);
        if wanted { clock::now() } else { Moment::from_nanos(0) }
    }

    fn note_success_at(&self, paid: Option<Withdrawal>, now: Moment) {
        for (place, level) in self.levels().enumerate() {
            level.note_life(now);
            if let Some(shedding) = level.options.shedding.get() {
                shedding.note_request(now);
                shedding.note_accept(now);
            }
            match &level.window {
                // A request deposits once, however many attempts it takes.
                Some(_) if level.options.earning == Earning::Requests && paid.is_some() => {}
                Some(window) => window.record(now),
                None if !level.refunds(paid, place) => level.bucket.earn(),
                None => {}
            }
        }
    }

    fn note_answer_at(&self, now: Moment) {
        for level in self.levels() {
            level.note_life(now);
            if level.window.is_none() && level.options.earning == Earning::Answers {
                level.bucket.deposit();
            }
        }
    }

    /// An attempt failed. What an answer earns is another matter.
    pub(crate) fn note_failure(
        &self,
        failure: &Classification,
        paid: Option<Withdrawal>,
        now: Moment,
    ) {
        for level in self.levels() {
            if let Some(shedding) = level.options.shedding.get().filter(|_| reached(failure)) {
                shedding.note_request(now);
                if failure.is_answer() || failure.kind() == Kind::Conflict {
                    shedding.note_accept(now);
                }
            }
            if level.options.half_full && strains(failure) {
                level.bucket.take_up_to(UNITS_OF_FAILURE);
            }
            match (&level.window, level.options.earning) {
                (Some(window), Earning::Requests) if paid.is_none() => window.record(now),
                _ => level.record_attempt(now),
            }
        }
    }

    fn note_life(&self, now: Moment) {
        if let Some(floor) = &self.options.floor {
            floor.note_success(now.as_nanos());
        }
    }
}

/// Whether the attempt got as far as the dependency, or tried to.
const fn reached(failure: &Classification) -> bool {
    !failure.is_local() && !matches!(failure.kind(), Kind::Cancelled)
}

/// Whether the failure tells of a dependency in trouble: one that is retried, or would be had it not
/// asked for no retry.
fn strains(failure: &Classification) -> bool {
    let retried = !matches!(failure.kind(), Kind::Permanent | Kind::Cancelled);
    reached(failure) && (retried || failure.hint() == Some(Hint::DoNotRetry))
}
