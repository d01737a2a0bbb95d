//! Paying for a retry: by a budget and by those above it, all or none.

use super::price::Price;
use super::withdrawal::Withdrawal;
use super::{Budget, Refund};
use crate::{Classification, Moment, isolation};

/// One retry, as the budgets that pay for it see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw {
    pub(crate) price: Price,
    /// Which retry of its call it is, from 1; 0 if that is not known.
    pub(crate) retry: u32,
    /// Whether it is this budget's own call that is retried; else the retry only passes through.
    pub(crate) own: bool,
    pub(crate) now: Moment,
}

/// What a level says to a draw.
enum Answer {
    Took { slot: u64 },
    Granted,
    Refused,
}

impl Budget {
    /// Pays for one retry, at a price of `cost` retries; 0 acts like 1, so that no retry is free.
    ///
    /// `None` means refused, and a refusal changes nothing. A cost above what a full bucket holds
    /// is always refused. When threads race for the last retries of a sliding window, all of them
    /// may be refused; more than the budget allows are never granted.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// let budget = Budget::new("orders").burst(3);
    /// let now = Moment::from_nanos(0);
    /// assert!(budget.withdraw(2, now).is_some());
    /// assert!(budget.withdraw(2, now).is_none(), "one is left");
    /// assert!(budget.withdraw(1, now).is_some());
    /// ```
    pub fn withdraw(&self, cost: u32, now: Moment) -> Option<Withdrawal> {
        self.draw(Draw { price: Price::retries(cost), retry: 0, own: true, now }, |_| false)
    }

    /// [`withdraw`](Self::withdraw) for the `retry`-th retry of a call, from 1, after this failure: at the
    /// price that it names, or else at what the budget asks for its kind; and within what one call
    /// may take.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, Classification, Kind, engine::Moment};
    ///
    /// let budget = Budget::new("orders").burst(10).cost_of(Kind::Timeout, 5);
    /// let paid = budget.withdraw_for(&Classification::timeout(), 1, Moment::from_nanos(0));
    /// assert!(paid.is_some());
    /// assert_eq!(budget.balance(), 5.0);
    /// ```
    pub fn withdraw_for(
        &self,
        failure: &Classification,
        retry: u32,
        now: Moment,
    ) -> Option<Withdrawal> {
        self.draw(Draw { price: Price::after(failure), retry, own: true, now }, |_| false)
    }

    /// Pays for one retry, here and above; levels that were `paid` otherwise are left out.
    pub(crate) fn draw(&self, draw: Draw, paid: impl Fn(&Self) -> bool) -> Option<Withdrawal> {
        let mut receipt = Withdrawal::new(draw.price);
        let refused = self.options.parent.is_some() && self.fault().is_some();
        if refused && self.fault.is_none() {
            self.counters.count_withdrawal(false);
            return None;
        }
        for (place, level) in self.levels().enumerate() {
            if paid(level) {
                continue;
            }
            match level.take(draw) {
                Answer::Took { slot } => receipt.set_taken(place, slot),
                Answer::Granted => receipt.set_granted(place),
                Answer::Refused => {
                    level.counters.count_withdrawal(false);
                    // Tables show the budget above the keys, and nobody looks at each.
                    if level.options.keyed {
                        if let Some(shared) = level.options.parent {
                            isolation::own(shared.in_effect()).counters.count_withdrawal(false);
                        }
                    }
                    self.undo(receipt);
                    return None;
                }
            }
            level.counters.count_withdrawal(true);
        }
        Some(receipt)
    }

    /// Takes back what a retry paid that never started. A bucket never gets fuller than full; a
    /// sliding window that has moved on since is left alone.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// let budget = Budget::new("orders").burst(3);
    /// let paid = budget.withdraw(1, Moment::from_nanos(0)).unwrap();
    /// budget.give_back(paid);
    /// assert_eq!((budget.balance(), budget.stats().given_back), (3.0, 1));
    /// ```
    pub fn give_back(&self, withdrawal: Withdrawal) {
        self.each_granted(withdrawal, |level, place| {
            level.put_back(withdrawal, place);
            level.counters.count_given_back();
        });
    }

    /// Takes a withdrawal back as if it had never been granted, because another budget refused its
    /// part of the same retry. Unlike [`give_back`](Self::give_back) it leaves no trace in
    /// [`stats`](Self::stats).
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// let budget = Budget::new("orders").burst(3);
    /// let paid = budget.withdraw(1, Moment::from_nanos(0)).unwrap();
    /// budget.undo(paid);
    /// assert_eq!((budget.balance(), budget.stats().withdrawn), (3.0, 0));
    /// ```
    pub fn undo(&self, withdrawal: Withdrawal) {
        self.each_granted(withdrawal, |level, place| {
            level.put_back(withdrawal, place);
            level.counters.uncount_withdrawal();
        });
    }

    fn each_granted(&self, withdrawal: Withdrawal, then: impl Fn(&Self, usize)) {
        for (place, level) in self.levels().enumerate() {
            if withdrawal.has_granted(place) {
                then(level, place);
            }
        }
    }

    /// What this level alone says, and takes if it can.
    fn take(&self, draw: Draw) -> Answer {
        if self.is_within_share(draw) {
            match self.take_from_balance(draw) {
                Answer::Refused => {}
                taken => return taken,
            }
            if let Some(floor) = &self.options.floor {
                if floor.grant(draw.now.as_nanos()) {
                    self.counters.count_by_floor();
                    return Answer::Granted;
                }
            }
        }
        if self.options.observe_only {
            self.counters.count_would_refuse();
            return Answer::Granted;
        }
        Answer::Refused
    }

    fn take_from_balance(&self, draw: Draw) -> Answer {
        let taken =
            |granted: bool| if granted { Answer::Took { slot: 0 } } else { Answer::Refused };
        if let Some(window) = &self.window {
            let units = self.options.costs.units(draw.price, 1);
            let Some(cost) = units.and_then(|units| u32::try_from(units).ok()) else {
                return Answer::Refused;
            };
            let slot = window.withdraw(cost, draw.now);
            return slot.map_or(Answer::Refused, |slot| Answer::Took { slot });
        }
        if let Some(flight) = &self.options.flight {
            // What only passes through would never tell its end.
            return if draw.own {
                taken(flight.begin_retry())
            } else if flight.left() > 0 {
                Answer::Granted
            } else {
                Answer::Refused
            };
        }
        if self.options.half_full {
            return if self.above_half() > 0 { Answer::Granted } else { Answer::Refused };
        }
        taken(self.units(draw.price).is_some_and(|units| self.bucket.take(units)))
    }

    /// Whether a call may take one more of the balance.
    fn is_within_share(&self, draw: Draw) -> bool {
        let share = self.options.share();
        if share == 0.0 || draw.retry <= 1 {
            return true;
        }
        let taken = f64::from(draw.retry - 1);
        let balance = self.left(Some(draw.now)).floor() + taken;
        taken < (share * balance).ceil()
    }

    /// Units of a bucket for this price.
    fn units(&self, price: Price) -> Option<u64> {
        self.options.costs.units(price, self.bucket.retry())
    }

    /// Units by which a bucket is more than half full.
    pub(super) fn above_half(&self) -> u64 {
        self.bucket.available().saturating_sub(self.bucket.capacity() / 2)
    }

    fn put_back(&self, withdrawal: Withdrawal, place: usize) {
        if !withdrawal.has_taken(place) {
            return;
        }
        if let Some(window) = &self.window {
            let units = self.options.costs.units(withdrawal.price(), 1).unwrap_or(1);
            window.give_back(units, |newest| withdrawal.slot(place, newest));
        } else if let Some(flight) = &self.options.flight {
            flight.end_retry();
        } else if let Some(units) = self.units(withdrawal.price()) {
            self.bucket.refill(units);
        }
    }

    /// What a retry that succeeded paid comes back, where that is the rule; else `false`.
    pub(super) fn refunds(&self, paid: Option<Withdrawal>, place: usize) -> bool {
        let taken = paid.filter(|paid| paid.is_refundable() && paid.has_taken(place));
        match (self.options.refund, taken) {
            (Refund::LastCost, Some(paid)) => {
                self.put_back(paid, place);
                true
            }
            _ => false,
        }
    }
}
