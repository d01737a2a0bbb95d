//! Builders for what most budgets do without. Like all builders of budgets they never fail, work in a
//! `static`, and remember the first fault.

use std::time::Duration;

use super::floor::Floor;
use super::options::{ABOVE, BEGINS, ENDS, FAILURES, TIMES};
use super::sync::{AtomicU32, AtomicU64};
use super::{Budget, Refund};
use crate::time::nanos;
use crate::{ConfigError, Kind};

impl Budget {
    /// The largest share of the balance that one call may take, above 0 and at most 1: its k-th retry is
    /// refused where k is more than the share of what there was before its first, rounded up, and above
    /// one. So a single call with many attempts cannot drain what all share.
    ///
    /// Finagle's `maxRetriesPerReq` (0.2) does the same, with the balance at the time of the request; here
    /// it is the balance now and what the call itself took of it, so that no call that succeeds at
    /// once has to look.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::Moment; } }
    /// use stormless::{Budget, Classification, engine::Moment};
    ///
    /// let budget = Budget::new("orders").burst(10).per_call(0.2);
    /// let (refused, now) = (Classification::transient(), Moment::from_nanos(0));
    /// assert!(budget.withdraw_for(&refused, 1, now).is_some());
    /// assert!(budget.withdraw_for(&refused, 2, now).is_some());
    /// assert!(budget.withdraw_for(&refused, 3, now).is_none());
    /// ```
    pub const fn per_call(mut self, share: f64) -> Self {
        if !(share > 0.0 && share <= 1.0) {
            return self.with_fault(ConfigError::CallShare(share));
        }
        self.options.share = AtomicU64::new(share.to_bits());
        self
    }

    /// So many retries a second are always allowed, whatever the balance, as long as anything succeeded
    /// within the last `silence`; at least 1, and above zero. They may come at once: at most twice as
    /// many in any second.
    ///
    /// A dependency that answers nothing gets nothing from a floor. Floors that go on regardless are what
    /// keeps a collapsed dependency down: 10 retries a second more than triple the time to recover of a
    /// server for 300 requests a second under a load of 280.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    /// use std::time::Duration;
    ///
    /// let budget = Budget::new("orders").burst(1).floor(2, Duration::from_secs(10));
    /// let now = Moment::from_nanos(1);
    /// budget.succeeded(None, now);
    /// let granted = (0..10).filter(|_| budget.withdraw(1, now).is_some()).count();
    /// assert!(granted > 1, "the floor pays where the balance does not: {granted}");
    /// ```
    pub const fn floor(mut self, per_second: u32, silence: Duration) -> Self {
        if per_second == 0 {
            return self.with_fault(ConfigError::ZeroCapacity("floor"));
        }
        if silence.is_zero() {
            return self.with_fault(ConfigError::ZeroDuration("floor"));
        }
        let (told, zero) = (AtomicU64::new(nanos(silence)), AtomicU64::new(0));
        let floor = Floor::new(AtomicU32::new(per_second), told, zero, AtomicU64::new(0));
        self.options.floor = Some(floor);
        self.attentive(TIMES)
    }

    /// What happens to the cost of a retry that succeeds. For token buckets only.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, Refund};
    ///
    /// let budget = Budget::new("orders").refund(Refund::LastCost);
    /// assert_eq!(budget.settings().options().refund, Refund::LastCost);
    /// assert!(Budget::sliding_window("search").refund(Refund::LastCost).check().is_err());
    /// ```
    pub const fn refund(mut self, refund: Refund) -> Self {
        if !self.is_bucket() {
            return self.with_fault(ConfigError::NotThisBudget("refund"));
        }
        self.options.refund = refund;
        self
    }

    /// A budget above this one: each retry is paid by it too, both or neither, and what earns here earns
    /// there as well. Its own parent pays with it, up to four budgets together, the bucket of a key among
    /// them; with more than that every retry is refused, and so it is in a circle.
    ///
    /// Retries that are switched off in it are switched off here.
    ///
    /// ```standalone_crate
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::Moment; } }
    /// use stormless::{Budget, budget, engine::Moment};
    ///
    /// budget! {
    ///     static REGION: Budget = Budget::new("region").burst(3);
    ///     static ORDERS: Budget = Budget::new("orders").burst(10).parent(&REGION);
    /// }
    ///
    /// let now = Moment::from_nanos(0);
    /// assert_eq!((0..10).filter(|_| ORDERS.withdraw(1, now).is_some()).count(), 3);
    /// assert_eq!((ORDERS.balance(), REGION.balance()), (7.0, 0.0));
    /// ```
    pub const fn parent(mut self, parent: &'static Self) -> Self {
        self.options.parent = Some(parent);
        self.attentive(FAILURES | ENDS | BEGINS | ABOVE)
    }

    /// Refuses nothing, and counts what it would have refused in
    /// [`BudgetStats::would_refuse`](crate::BudgetStats::would_refuse): for roll-out, to see what a
    /// setting would do. Such a budget limits nothing, and its bound says so. Budgets above it refuse
    /// all the same.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// let budget = Budget::new("orders").burst(1).observe_only();
    /// let now = Moment::from_nanos(0);
    /// assert!((0..5).all(|_| budget.withdraw(1, now).is_some()));
    /// assert_eq!(budget.stats().would_refuse, 4);
    /// ```
    pub const fn observe_only(mut self) -> Self {
        self.options.observe_only = true;
        self
    }

    /// What a retry after a failure of this kind costs, where the failure says nothing itself; at least 1
    /// and at most what a full bucket holds. In retries, or in tokens where the budget is counted in
    /// [`tokens`](Self::tokens). Not for kinds that are never retried, nor for budgets that take
    /// nothing for a retry.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, Classification, Kind, engine::Moment};
    ///
    /// let budget = Budget::new("orders").burst(10).cost_of(Kind::Throttled, 5);
    /// let (busy, now) = (Classification::throttled(), Moment::from_nanos(0));
    /// let granted = (0..10).filter(|_| budget.withdraw_for(&busy, 1, now).is_some()).count();
    /// assert_eq!(granted, 2);
    /// ```
    pub const fn cost_of(mut self, kind: Kind, cost: u32) -> Self {
        if self.options.half_full || self.options.flight.is_some() {
            return self.with_fault(ConfigError::NotThisBudget("cost_of"));
        }
        if cost == 0 {
            return self.with_fault(ConfigError::ZeroCost);
        }
        let units = if self.counted_in_tokens || self.window.is_some() {
            cost as u64
        } else {
            cost as u64 * self.bucket.retry()
        };
        let held = self.bucket.replace_capacity(AtomicU64::new(0)).into_inner();
        self.bucket.replace_capacity(AtomicU64::new(held));
        if self.window.is_none() && units > held {
            let whole = if self.counted_in_tokens { 1 } else { self.bucket.retry() };
            #[expect(clippy::cast_possible_truncation, reason = "capacities are set by a `u32`")]
            let capacity = (held / whole) as u32;
            return self.with_fault(ConfigError::CostAboveCapacity { cost, capacity });
        }
        if !self.options.costs.set(kind, units) {
            return self.with_fault(ConfigError::NeverRetried);
        }
        self
    }

    /// How many keys [`keyed`](Self::keyed) keeps apart at once, at least 1; 1,024 where nothing is said.
    /// Keys beyond that take the place of those that were used longest ago, and start empty.
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, budget};
    ///
    /// budget! { static HOSTS: Budget = Budget::new("hosts").max_keys(2); }
    ///
    /// let _held = [HOSTS.keyed("a"), HOSTS.keyed("b"), HOSTS.keyed("c")];
    /// assert_eq!(HOSTS.keys(), 2);
    /// ```
    pub const fn max_keys(mut self, keys: u32) -> Self {
        if keys == 0 {
            return self.with_fault(ConfigError::ZeroCapacity("max_keys"));
        }
        if !self.is_bucket() && !self.options.half_full {
            return self.with_fault(ConfigError::NotThisBudget("max_keys"));
        }
        self.options.max_keys = keys;
        self
    }

    /// Has every success told, and what else is named.
    pub(super) const fn attentive(mut self, hooks: u8) -> Self {
        self.options.hooks |= hooks;
        self.bucket.set_attentive(AtomicU64::new(1));
        self
    }

    /// Whether retries are paid for from a bucket.
    pub(super) const fn is_bucket(&self) -> bool {
        self.window.is_none() && self.options.flight.is_none() && !self.options.half_full
    }
}
