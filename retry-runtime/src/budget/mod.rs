//! Budgets: what retries are paid from.

mod bound;
mod build;
mod check;
mod declare;
mod figure;
mod macros;
mod named;
pub mod registry;
mod settings;
mod stats;
mod token_bucket;
mod window;
mod withdrawal;

pub use bound::Bound;
pub use named::NamedBudget;
pub use settings::BudgetSettings;
pub use stats::BudgetStats;
pub use withdrawal::Withdrawal;

use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

use self::stats::Counters;
use self::token_bucket::TokenBucket;
use self::window::Window;
use crate::names::Succession;
use crate::{ConfigError, Moment, clock, isolation, sync};

/// What the retries towards one dependency are paid from.
///
/// Every call that is [answered](Budget::deposit) earns a share of a retry, every retry
/// [withdraws](Budget::withdraw) at least one, and a withdrawal that the budget cannot cover is
/// refused. So a dependency that stops answering soon stops being retried, whatever the number of
/// calls, and [`bound`](Budget::bound) says how much its load can grow.
///
/// Earning per answered call is the point: budgets that earn per request keep a dependency that
/// has collapsed under its load collapsed.
///
/// A budget is made in a `static` or declared at run time, is shared by all threads, and takes no
/// lock.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Budget, budget};
///
/// budget! { static ORDERS: Budget = Budget::new("orders").burst(20).ratio(0.05); }
///
/// assert_eq!(ORDERS.balance(), 20.0);
/// ```
pub struct Budget {
    /// Of a window it is never full, so that a success at a full bucket need not ask for the kind.
    bucket: TokenBucket,
    window: Option<Window>,
    /// 0 until somebody asks.
    id: AtomicU32,
    /// One load tells a call that it has the right budget, and what to call it.
    succession: Succession<Budget>,
    counted_in_tokens: bool,
    counters: Counters,
    fault: Option<ConfigError>,
    name: Cow<'static, str>,
}

impl Budget {
    /// The name that `budget = "…"` refers to.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One logical call was answered: it succeeded, or the dependency itself said why not.
    ///
    /// A full bucket costs one relaxed load. A sliding window looks at attempts instead, so this
    /// does nothing to it.
    #[inline]
    pub fn deposit(&self) {
        if self.window.is_none() {
            self.bucket.deposit();
        }
    }

    /// Whether [`note_success`](Self::note_success) would change anything.
    #[inline]
    pub(crate) fn notices_success(&self) -> bool {
        self.bucket.is_below_full()
    }

    /// A call succeeded: a deposit, or a sample.
    pub(crate) fn note_success(&self) {
        match &self.window {
            Some(window) => window.record(clock::now()),
            None => self.bucket.earn(),
        }
    }

    /// Whether [`record_attempt`](Self::record_attempt) does anything: true for sliding windows
    /// only.
    #[inline]
    pub fn wants_samples(&self) -> bool {
        self.window.is_some()
    }

    /// An attempt has ended, first or not: a sample for a sliding window. Calls record an attempt
    /// when it ends and not when it starts, so one that still runs is no sample yet.
    pub fn record_attempt(&self, now: Moment) {
        if let Some(window) = &self.window {
            window.record(now);
        }
    }

    /// Pays for one retry, at a price of `cost` retries; 0 acts like 1, so that no retry is free.
    ///
    /// `None` means refused, and a refusal changes nothing. A cost above what a full bucket holds
    /// is always refused. When threads race for the last retries of a sliding window, all of them
    /// may be refused; more than the budget allows are never granted.
    pub fn withdraw(&self, cost: u32, now: Moment) -> Option<Withdrawal> {
        let cost = cost.max(1);
        let withdrawal = match &self.window {
            Some(window) => window.withdraw(cost, now).map(|slot| Withdrawal::new(cost, slot)),
            None => self.bucket.withdraw(cost).then_some(Withdrawal::new(cost, 0)),
        };
        self.counters.count_withdrawal(withdrawal.is_some());
        withdrawal
    }

    /// Takes back what a retry paid that never started. A bucket never gets fuller than full; a
    /// sliding window that has moved on since is left alone.
    pub fn give_back(&self, withdrawal: Withdrawal) {
        self.refund(withdrawal);
        self.counters.count_given_back();
    }

    /// Takes a withdrawal back as if it had never been granted, because another budget refused its
    /// part of the same retry. Unlike [`give_back`](Self::give_back) it leaves no trace in
    /// [`stats`](Self::stats).
    pub fn undo(&self, withdrawal: Withdrawal) {
        self.refund(withdrawal);
        self.counters.uncount_withdrawal();
    }

    fn refund(&self, withdrawal: Withdrawal) {
        match &self.window {
            Some(window) => window.give_back(withdrawal.cost(), withdrawal.slot()),
            None => self.bucket.give_back(withdrawal.cost()),
        }
    }

    /// Retries that are left, never below zero: what the bucket holds, or what a sliding window
    /// would grant as of the last time it was used. See [`balance_at`](Self::balance_at).
    pub fn balance(&self) -> f64 {
        isolation::view(self).left(None)
    }

    /// Retries that are left at `now`, never below zero. Time makes a difference to sliding windows
    /// only.
    pub fn balance_at(&self, now: Moment) -> f64 {
        isolation::view(self).left(Some(now))
    }

    #[expect(clippy::cast_precision_loss, reason = "a gauge; decisions count in whole units")]
    fn left(&self, now: Option<Moment>) -> f64 {
        match &self.window {
            Some(window) => window.left(now) as f64,
            None => self.bucket.available() as f64 / self.bucket.retry() as f64,
        }
    }

    /// What this budget promises at worst, in numbers and as a sentence.
    pub fn bound(&self) -> Bound {
        Bound::new(self.settings())
    }

    /// How often it granted, refused and took back.
    pub fn stats(&self) -> BudgetStats {
        isolation::view(self).counters.read()
    }

    /// Whether retries under this budget are switched off. Only decisions ask, so a call that is
    /// asleep still makes the attempt that it has paid for.
    pub fn is_off(&self) -> bool {
        isolation::view(self).is_off_here()
    }

    /// The switch of this very object, whatever isolated test asks. It takes no lock, so the
    /// registry may ask while it holds its own.
    pub(crate) fn is_off_here(&self) -> bool {
        self.succession.is_off()
    }

    /// Switches retries under this budget off or on, and with it those of the budgets that answer
    /// to its name by now.
    pub fn set_off(&self, off: bool) {
        let mut next = Some(self);
        while let Some(budget) = next {
            isolation::view(budget).set_off_here(off);
            next = budget.succession.successor();
        }
    }

    /// Throws the switch of this very object, as [`is_off_here`](Self::is_off_here) reads it.
    fn set_off_here(&self, off: bool) {
        self.succession.set_off(off);
    }

    /// A number that no other budget of this process has; never 0.
    #[inline]
    pub fn id(&self) -> u32 {
        match self.id.load(Ordering::Relaxed) {
            0 => self.assign_id(),
            id => id,
        }
    }

    #[cold]
    fn assign_id(&self) -> u32 {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let fresh = match NEXT.fetch_add(1, Ordering::Relaxed) {
            0 => NEXT.fetch_add(1, Ordering::Relaxed),
            id => id,
        };
        match self.id.compare_exchange(0, fresh, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => fresh,
            Err(theirs) => theirs,
        }
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("name", &self.name)
            .field("settings", &self.settings())
            .field("balance", &self.left(None))
            .field("off", &self.is_off_here())
            .field("stats", &self.counters.read())
            .finish_non_exhaustive()
    }
}
