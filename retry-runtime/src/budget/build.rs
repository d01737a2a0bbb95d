//! How a budget is made: infallible builders that work in a `static` and remember the first fault.

use std::borrow::Cow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::time::Duration;

use super::Budget;
use super::options::{Options, SAMPLES, TIMES};
use super::stats::Counters;
use super::sync::AtomicU64;
use super::token_bucket::TokenBucket;
use super::window::{WHOLE, Window};
use crate::names::Succession;
use crate::{ConfigError, Moment};

/// Units of one retry: ratios are exact to nine decimals, and `u32::MAX` retries fit 64 bits.
pub(super) const RETRY: u64 = WHOLE;
const DEFAULT_BURST: u64 = 10;
const DEFAULT_EARNED: u64 = RETRY / 10;

/// Units of so many retries, or of such a share.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and what is too large saturates, above every capacity"
)]
pub(super) const fn units_of(ratio: f64) -> u64 {
    (ratio * 1e9 + 0.5) as u64
}

/// Of a budget that holds no retries.
pub(super) const fn no_bucket() -> TokenBucket {
    TokenBucket::new(AtomicU64::new(0), AtomicU64::new(0), RETRY, AtomicU64::new(0))
}

impl Budget {
    /// A token bucket that starts full with 10 retries and earns 0.1 of a retry with each answered
    /// call. Time alone earns nothing.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::Moment; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// static ORDERS: Budget = Budget::new("orders").burst(2).ratio(0.5);
    ///
    /// let now = Moment::from_nanos(0);
    /// assert!(ORDERS.withdraw(1, now).is_some());
    /// assert!(ORDERS.withdraw(1, now).is_some());
    /// assert!(ORDERS.withdraw(1, now).is_none());
    /// ORDERS.deposit();
    /// ORDERS.deposit();
    /// assert!(ORDERS.withdraw(1, now).is_some());
    /// ```
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self::bucket(Cow::Borrowed(name), DEFAULT_BURST * RETRY, RETRY, DEFAULT_EARNED)
            .with_name_checked(name)
    }

    /// The same as [`Budget::new`], for a name that is known only at run time.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// let tenant = "acme";
    /// assert_eq!(Budget::dynamic(format!("tenant-{tenant}")).name(), "tenant-acme");
    /// ```
    pub fn dynamic(name: impl Into<String>) -> Self {
        let name = name.into();
        let empty = name.is_empty();
        let budget = Self::bucket(Cow::Owned(name), DEFAULT_BURST * RETRY, RETRY, DEFAULT_EARNED);
        if empty { budget.with_fault(ConfigError::EmptyName) } else { budget }
    }

    /// The published bucket of tokens: a retry takes `cost` of at most `capacity`, an answered call
    /// puts `reward` back. `tokens("orders", 100, 10, 1)` is the usual one, and behaves exactly like
    /// [`Budget::new`]: 10 retries in a row, and a tenth of a retry earned.
    ///
    /// The form is that of the AWS SDKs' retry quota. Earning per answered call, and not per
    /// request, follows Marc Brooker, "Fixing retries with token buckets and circuit breakers"
    /// (2022).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, ConfigError};
    ///
    /// let budget = Budget::tokens("orders", 100, 10, 1);
    /// assert_eq!(budget.balance(), 10.0);
    /// assert_eq!(
    ///     Budget::tokens("orders", 10, 11, 1).check(),
    ///     Err(ConfigError::CostAboveCapacity { cost: 11, capacity: 10 }),
    /// );
    /// ```
    #[must_use]
    pub const fn tokens(name: &'static str, capacity: u32, cost: u32, reward: u32) -> Self {
        let fault = if capacity == 0 {
            ConfigError::ZeroCapacity("capacity")
        } else if cost == 0 {
            ConfigError::ZeroCost
        } else if cost > capacity {
            ConfigError::CostAboveCapacity { cost, capacity }
        } else {
            // Counted in its own tokens, so that thirds stay exact.
            let (capacity, cost, reward) = (capacity as u64, cost as u64, reward as u64);
            return Self::bucket(Cow::Borrowed(name), capacity, cost, reward)
                .counted_in_tokens()
                .with_name_checked(name);
        };
        Self::new(name).counted_in_tokens().with_fault(fault)
    }

    /// A sliding window: retries are at most 10 % of the attempts of the last 60 s, and not limited
    /// while there are fewer than 20 of those. Change the three numbers with
    /// [`ratio`](Self::ratio), [`window`](Self::window) and [`min_samples`](Self::min_samples).
    ///
    /// A sample is an attempt, so at most 19 retries in a window escape the ratio. The window moves
    /// on by a sixtieth of its length.
    ///
    /// Unlike a bucket, a window goes on granting retries while nothing is answered, and its burst
    /// grows with the traffic: a dependency that runs near its limit may not recover under it.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::Moment; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// let budget = Budget::sliding_window("search");
    /// let now = Moment::from_nanos(0);
    /// (0..30).for_each(|_| budget.record_attempt(now));
    /// let granted = (0..30).filter(|_| budget.withdraw(1, now).is_some()).count();
    /// assert_eq!(granted, 3);
    /// ```
    #[must_use]
    pub const fn sliding_window(name: &'static str) -> Self {
        let window = Window::new(WHOLE / 10, Duration::from_secs(60), 20);
        Self::assemble(Cow::Borrowed(name), no_bucket(), Some(window))
            .attentive(SAMPLES | TIMES)
            .with_name_checked(name)
    }

    /// What a full bucket holds, in retries; at least 1. Not for [`tokens`](Self::tokens) and
    /// [`sliding_window`](Self::sliding_window).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, ConfigError};
    ///
    /// assert_eq!(Budget::new("orders").burst(50).balance(), 50.0);
    /// assert_eq!(Budget::new("orders").burst(0).check(), Err(ConfigError::ZeroCapacity("burst")));
    /// ```
    pub const fn burst(mut self, retries: u32) -> Self {
        if self.counted_in_tokens || !self.is_bucket() {
            return self.with_fault(ConfigError::NotThisBudget("burst"));
        }
        if retries == 0 {
            return self.with_fault(ConfigError::ZeroCapacity("burst"));
        }
        self.bucket.replace_capacity(AtomicU64::new(retries as u64 * RETRY));
        self
    }

    /// What one answered call earns, in retries; finite and at least 0. For a window: the highest
    /// share of retries among attempts, below 1. Exact to nine decimals. Not for
    /// [`tokens`](Self::tokens).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert_eq!(Budget::new("orders").ratio(0.2).bound().worst_amplification(), 1.2);
    /// assert!(Budget::new("orders").ratio(-0.2).check().is_err());
    /// // Of all attempts: a tenth of retries to nine tenths of first attempts.
    /// assert!(Budget::sliding_window("search").ratio(1.0).check().is_err());
    /// ```
    pub const fn ratio(mut self, ratio: f64) -> Self {
        if self.counted_in_tokens {
            return self.with_fault(ConfigError::NotThisBudget("ratio"));
        }
        if !ratio.is_finite() || ratio < 0.0 {
            return self.with_fault(ConfigError::Ratio(ratio));
        }
        let units = units_of(ratio);
        if self.options.half_full {
            return self.with_fault(ConfigError::NotThisBudget("ratio"));
        }
        if let Some(flight) = &mut self.options.flight {
            if units > WHOLE {
                return self.with_fault(ConfigError::Share(ratio));
            }
            flight.set_share(AtomicU64::new(units));
            return self;
        }
        match &mut self.window {
            Some(window) if units >= WHOLE && !window.is_of_deposits() => {
                return self.with_fault(ConfigError::Share(ratio));
            }
            Some(window) => window.set_share(units),
            None => self.bucket.set_earned(AtomicU64::new(units)),
        }
        self
    }

    /// How far back a sliding window looks; above zero, and 60 s unless it is set (10 s for Finagle's). Not for the
    /// other kinds.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    /// use std::time::Duration;
    ///
    /// let length = Duration::from_secs(10);
    /// let budget = Budget::sliding_window("search").window(length);
    /// assert_eq!(budget.bound().window(), Some(length));
    /// assert!(Budget::new("orders").window(length).check().is_err());
    /// ```
    pub const fn window(mut self, length: Duration) -> Self {
        match &mut self.window {
            None => self.with_fault(ConfigError::NotThisBudget("window")),
            Some(_) if length.is_zero() => self.with_fault(ConfigError::ZeroDuration("window")),
            Some(window) => {
                window.set_length(length);
                self
            }
        }
    }

    /// The number of attempts from which a sliding window limits retries; below it at most
    /// `attempts - 1` retries are granted. With 0 or 1 nothing escapes the ratio. Not for the other
    /// kinds.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert_eq!(Budget::sliding_window("search").min_samples(100).bound().exempt(), 99);
    /// assert_eq!(Budget::sliding_window("search").min_samples(0).bound().exempt(), 0);
    /// ```
    pub const fn min_samples(mut self, attempts: u32) -> Self {
        match &mut self.window {
            Some(window) if !window.is_of_deposits() => {
                window.set_min_samples(attempts);
                self
            }
            _ => self.with_fault(ConfigError::NotThisBudget("min_samples")),
        }
    }

    /// A budget with the same settings, as they were declared, full and with all counts at zero; for
    /// tests that must not share state.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Budget, engine::Moment};
    ///
    /// static ORDERS: Budget = Budget::new("orders").burst(3);
    /// assert!(ORDERS.withdraw(3, Moment::from_nanos(0)).is_some());
    /// assert_eq!((ORDERS.balance(), ORDERS.fresh_copy().balance()), (0.0, 3.0));
    /// ```
    pub fn fresh_copy(&self) -> Self {
        let bucket = self.bucket.fresh_copy();
        let window = self.window.as_ref().map(Window::fresh_copy);
        let copy = Self {
            counted_in_tokens: self.counted_in_tokens,
            fault: self.fault,
            options: self.options.fresh_copy(),
            ..Self::assemble(self.name.clone(), bucket, window)
        };
        copy.put(&self.declared_numbers(), Moment::from_nanos(0));
        copy
    }

    pub(super) const fn bucket(
        name: Cow<'static, str>,
        capacity: u64,
        retry: u64,
        earned: u64,
    ) -> Self {
        let (capacity, earned) = (AtomicU64::new(capacity), AtomicU64::new(earned));
        Self::assemble(name, TokenBucket::new(AtomicU64::new(0), capacity, retry, earned), None)
    }

    pub(super) const fn assemble(
        name: Cow<'static, str>,
        bucket: TokenBucket,
        window: Option<Window>,
    ) -> Self {
        Self {
            bucket,
            window,
            options: Options::none(),
            id: AtomicU32::new(0),
            succession: Succession::new(AtomicU32::new(0), OnceLock::new(), AtomicBool::new(false)),
            counted_in_tokens: false,
            counters: Counters::new(),
            fault: None,
            name,
        }
    }

    pub(super) const fn counted_in_tokens(mut self) -> Self {
        self.counted_in_tokens = true;
        self
    }

    pub(super) const fn with_name_checked(self, name: &str) -> Self {
        if name.is_empty() { self.with_fault(ConfigError::EmptyName) } else { self }
    }

    pub(super) const fn with_fault(mut self, fault: ConfigError) -> Self {
        if self.fault.is_none() {
            self.fault = Some(fault);
        }
        self
    }
}
