//! Budgets: what retries are paid from.

mod bound;
mod bound_words;
mod build;
mod check;
mod declare;
mod figure;
mod flight;
mod floor;
mod keys;
mod levels;
mod macros;
mod named;
mod next;
mod note;
mod numbers;
mod options;
pub(crate) mod overrides;
mod pay;
mod presets;
mod price;
pub mod registry;
mod settings;
mod shedding;
mod stats;
mod token_bucket;
mod told;
mod tuning;
mod window;
mod withdrawal;

pub use bound::Bound;
pub use keys::KeyedBudget;
pub use named::NamedBudget;
pub use next::NextRetry;
pub use options::{Earning, Refund};
pub(crate) use overrides::{KEYS, check_value};
pub(crate) use pay::Draw;
pub(crate) use price::Price;
pub use settings::BudgetSettings;
pub use stats::BudgetStats;
pub use told::BudgetOptions;
pub use withdrawal::Withdrawal;

use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

use self::options::Options;
use self::stats::Counters;
use self::token_bucket::TokenBucket;
use self::window::Window;
use crate::names::Succession;
use crate::{ConfigError, Moment, Uniform, isolation, sync};

/// Units of a token that a failure takes, where failures do: ratios count to three decimals.
const UNITS_OF_FAILURE: u64 = 1_000;

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
    options: Options,
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

    /// Retries that are left, never below zero: what the bucket holds, or what a sliding window
    /// would grant as of the last time it was used. See [`balance_at`](Self::balance_at).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert_eq!(Budget::new("orders").burst(20).balance(), 20.0);
    /// ```
    pub fn balance(&self) -> f64 {
        crate::control::expire_now();
        isolation::view(self).left(None)
    }

    /// Retries that are left at `now`, never below zero. Time makes a difference to sliding windows
    /// only.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// let budget = Budget::sliding_window("search");
    /// assert_eq!(budget.balance_at(Moment::from_nanos(0)), 19.0);
    /// ```
    pub fn balance_at(&self, now: Moment) -> f64 {
        crate::control::expire_now();
        isolation::view(self).left(Some(now))
    }

    #[expect(clippy::cast_precision_loss, reason = "a gauge; decisions count in whole units")]
    fn left(&self, now: Option<Moment>) -> f64 {
        if let Some(window) = &self.window {
            return window.left(now) as f64;
        }
        if let Some(flight) = &self.options.flight {
            return flight.left() as f64;
        }
        let units =
            if self.options.half_full { self.above_half() } else { self.bucket.available() };
        units as f64 / self.bucket.retry() as f64
    }

    /// What this budget promises at worst, in numbers and as a sentence.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// let bound = Budget::new("orders").burst(10).ratio(0.1).bound();
    /// assert_eq!((bound.burst(), bound.worst_amplification()), (Some(10.0), 1.1));
    /// ```
    pub fn bound(&self) -> Bound {
        Bound::new(self.settings())
    }

    /// Whether this budget may shed first attempts; else there is no need to ask
    /// [`sheds`](Self::sheds).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert!(Budget::sre_throttling("search").may_shed());
    /// assert!(!Budget::new("orders").may_shed());
    /// ```
    pub fn may_shed(&self) -> bool {
        self.options.shedding.get().is_some()
    }

    /// Whether a call that begins now is to be refused before its first attempt, with the chance that
    /// [`shed_chance`](Self::shed_chance) tells. Each call is asked for once: one that is shed counts as a
    /// request.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::{Generator, Moment}};
    ///
    /// let budget = Budget::sre_throttling("search");
    /// let now = Moment::from_nanos(0);
    /// // Nothing has failed yet.
    /// assert!(!budget.sheds(now, &mut Generator::seeded(42, 0)));
    /// ```
    pub fn sheds(&self, now: Moment, random: &mut dyn Uniform) -> bool {
        let Some(shedding) = self.options.shedding.get() else { return false };
        if !shedding.sheds(now, random) {
            return false;
        }
        if self.options.observe_only {
            self.counters.count_would_refuse();
            return false;
        }
        shedding.note_request(now);
        self.counters.count_shed();
        true
    }

    /// The chance, from 0 to 1, that a call that begins now is shed; 0 for a budget that sheds nothing.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, Classification, engine::Moment};
    ///
    /// let budget = Budget::sre_throttling("search");
    /// let now = Moment::from_nanos(0);
    /// // A hundred requests, none of them accepted: 100 of 101.
    /// (0..100).for_each(|_| budget.failed(&Classification::throttled(), None, now));
    /// assert!(budget.shed_chance(now) > 0.9);
    /// ```
    pub fn shed_chance(&self, now: Moment) -> f64 {
        self.options.shedding.get().map_or(0.0, |shedding| shedding.chance(now))
    }

    /// How often it granted, refused and took back.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// let budget = Budget::new("orders").burst(1);
    /// let now = Moment::from_nanos(0);
    /// let _granted = budget.withdraw(1, now);
    /// let _refused = budget.withdraw(1, now);
    /// assert_eq!((budget.stats().withdrawn, budget.stats().refused), (1, 1));
    /// ```
    pub fn stats(&self) -> BudgetStats {
        isolation::view(self).counters.read()
    }

    /// Whether it refuses nothing, and only counts what it would.
    pub(crate) const fn is_observing(&self) -> bool {
        self.options.observe_only
    }

    /// Whether retries under this budget are switched off. Only decisions ask, so a call that is
    /// asleep still makes the attempt that it has paid for.
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, budget, control};
    ///
    /// budget! { static ORDERS: Budget = Budget::new("orders"); }
    ///
    /// control::budget("orders").unwrap().off();
    /// assert!(ORDERS.is_off());
    /// ```
    pub fn is_off(&self) -> bool {
        crate::control::expire_now();
        isolation::view(self).is_off_here()
    }

    /// The switch of this very object, whatever isolated test asks. It takes no lock, so the
    /// registry may ask while it holds its own.
    pub(crate) fn is_off_here(&self) -> bool {
        self.succession.is_off()
    }

    /// Switches retries under this budget off or on, and with it those of the budgets that answer
    /// to its name by now.
    pub(crate) fn set_off(&self, off: bool) {
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
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert_ne!(Budget::new("orders").id(), Budget::new("orders").id());
    /// ```
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
            .field("settings", &self.settings_here())
            .field("balance", &self.left(None))
            .field("off", &self.is_off_here())
            .field("stats", &self.counters.read())
            .finish_non_exhaustive()
    }
}
