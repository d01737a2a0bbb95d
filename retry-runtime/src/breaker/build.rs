//! How a breaker is made: infallible builders that work in a `static` and remember the first fault.

use std::borrow::Cow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::circuit::{Circuit, Rest};
use super::limits::Limits;
use super::stats::Counters;
use super::sync::{AtomicU32, AtomicU64, Mutex, OnceLock};
use super::tally::Tally;
use super::word::Word;
use super::{Breaker, BreakerSettings};
use crate::ConfigError;
use crate::names::Succession;

impl Breaker {
    /// A breaker that opens for 30 s after five failures in a row within 60 s, and then lets one probe
    /// through.
    ///
    /// The five failures are the rule of a breaker that was given none; the first rule takes their
    /// place.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    /// use std::time::Duration;
    ///
    /// let settings = Breaker::new("orders").settings();
    /// assert_eq!((settings.consecutive, settings.open_for), (Some(5), Duration::from_secs(30)));
    /// ```
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        let breaker = Self::assemble(Cow::Borrowed(name), BreakerSettings::DEFAULT);
        if name.is_empty() { breaker.with_fault(ConfigError::EmptyName) } else { breaker }
    }

    /// The same as [`Breaker::new`], for a name that is known only at run time.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    ///
    /// let shard = 7;
    /// assert_eq!(Breaker::dynamic(format!("shard-{shard}")).name(), "shard-7");
    /// ```
    pub fn dynamic(name: impl Into<String>) -> Self {
        let name = name.into();
        let empty = name.is_empty();
        let breaker = Self::assemble(Cow::Owned(name), BreakerSettings::DEFAULT);
        if empty { breaker.with_fault(ConfigError::EmptyName) } else { breaker }
    }

    /// Opens for 30 s after three timeouts that had no success between them.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    ///
    /// assert_eq!(Breaker::three_timeouts("search").settings().consecutive_timeouts, Some(3));
    /// ```
    #[must_use]
    pub const fn three_timeouts(name: &'static str) -> Self {
        Self::new(name).consecutive_timeouts(3).open_for(Duration::from_secs(30))
    }

    /// Opens after this many failures in a row, timeouts included; at least 1. Failures older than
    /// [`window`](Self::window) no longer count.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Breaker, ConfigError};
    ///
    /// assert_eq!(Breaker::new("orders").consecutive(10).settings().consecutive, Some(10));
    /// assert_eq!(
    ///     Breaker::new("orders").consecutive(0).check(),
    ///     Err(ConfigError::ZeroCount("consecutive")),
    /// );
    /// ```
    pub const fn consecutive(self, failures: u32) -> Self {
        if failures == 0 {
            return self.with_fault(ConfigError::ZeroCount("consecutive"));
        }
        let mut breaker = self.with_rule();
        breaker.settings.consecutive = Some(failures);
        breaker.limited()
    }

    /// Opens after this many timeouts without a success between them; at least 1. Other failures count
    /// neither way. Timeouts older than [`window`](Self::window) no longer count.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    ///
    /// let settings = Breaker::new("search").consecutive_timeouts(3).settings();
    /// // The first rule takes the place of the five failures in a row.
    /// assert_eq!((settings.consecutive_timeouts, settings.consecutive), (Some(3), None));
    /// ```
    pub const fn consecutive_timeouts(self, timeouts: u32) -> Self {
        if timeouts == 0 {
            return self.with_fault(ConfigError::ZeroCount("consecutive_timeouts"));
        }
        let mut breaker = self.with_rule();
        breaker.settings.consecutive_timeouts = Some(timeouts);
        breaker.limited()
    }

    /// Opens at a failure that makes this share of the calls in the [`window`](Self::window) failures;
    /// above 0, at most 1. Not before there are [`min_calls`](Self::min_calls).
    ///
    /// Every call is then counted, which costs one a read of the clock and a write when it ends.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Breaker, ConfigError};
    ///
    /// let half = Breaker::new("orders").failure_rate(0.5).min_calls(50);
    /// assert_eq!(half.settings().failure_rate, Some(0.5));
    /// assert_eq!(
    ///     Breaker::new("orders").failure_rate(50.0).check(),
    ///     Err(ConfigError::Rate("failure_rate", 50.0)),
    /// );
    /// ```
    pub const fn failure_rate(self, share: f64) -> Self {
        if !is_share(share) {
            return self.with_fault(ConfigError::Rate("failure_rate", share));
        }
        let mut breaker = self.with_rule();
        breaker.settings.failure_rate = Some(share);
        breaker.limited()
    }

    /// Opens at a slow call that makes this share of the calls in the [`window`](Self::window) slow;
    /// above 0, at most 1. Slow is what takes longer than `longer_than`, whatever it ends in. Not before
    /// there are [`min_calls`](Self::min_calls).
    ///
    /// A probe that is slow opens the breaker again, even if it succeeds. Every call is counted, as for
    /// [`failure_rate`](Self::failure_rate), and reads the clock when it starts, too.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    /// use std::time::Duration;
    ///
    /// let second = Duration::from_secs(1);
    /// let breaker = Breaker::new("orders").slow_calls(0.8, second);
    /// assert_eq!(breaker.settings().slow_calls, Some((0.8, second)));
    /// ```
    pub const fn slow_calls(self, share: f64, longer_than: Duration) -> Self {
        if !is_share(share) {
            return self.with_fault(ConfigError::Rate("slow_calls", share));
        }
        if longer_than.is_zero() {
            return self.with_fault(ConfigError::ZeroDuration("slow_calls"));
        }
        let mut breaker = self.with_rule();
        breaker.settings.slow_calls = Some((share, longer_than));
        breaker.limited()
    }

    /// How far back calls and failures count; above zero, 60 s unless it is set. It moves on by a
    /// sixtieth of its length.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    /// use std::time::Duration;
    ///
    /// let breaker = Breaker::new("orders").failure_rate(0.5).window(Duration::from_secs(10));
    /// assert_eq!(breaker.settings().window, Duration::from_secs(10));
    /// ```
    pub const fn window(mut self, length: Duration) -> Self {
        if length.is_zero() {
            return self.with_fault(ConfigError::ZeroDuration("window"));
        }
        self.settings.window = length;
        self.limited()
    }

    /// The number of calls in the window from which rates are asked; at least 1, and 20 unless it is
    /// set.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    ///
    /// let breaker = Breaker::new("orders").failure_rate(0.5).min_calls(100);
    /// assert_eq!(breaker.settings().min_calls, 100);
    /// ```
    pub const fn min_calls(mut self, calls: u32) -> Self {
        if calls == 0 {
            return self.with_fault(ConfigError::ZeroCount("min_calls"));
        }
        self.settings.min_calls = calls;
        self.limited()
    }

    /// How long it stays open; above zero, 30 s unless it is set. With `Duration::MAX` until it is closed
    /// by hand.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    /// use std::time::Duration;
    ///
    /// let breaker = Breaker::new("orders").open_for(Duration::from_secs(5));
    /// breaker.open();
    /// assert!(breaker.opens_in().unwrap() <= Duration::from_secs(5));
    /// ```
    pub const fn open_for(mut self, time: Duration) -> Self {
        if time.is_zero() {
            return self.with_fault(ConfigError::ZeroDuration("open_for"));
        }
        self.settings.open_for = time;
        self
    }

    /// What the open time is multiplied by each time that a probe fails, until one succeeds; finite and
    /// at least 1, and 1 unless it is set. With 2 a dependency that stays away for long is asked ever
    /// more rarely, up to [`max_open`](Self::max_open).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    /// use std::time::Duration;
    ///
    /// // 5 s, 10 s, 20 s, 40 s, 60 s, 60 s …
    /// let breaker = Breaker::new("orders")
    ///     .open_for(Duration::from_secs(5))
    ///     .growth(2.0)
    ///     .max_open(Duration::from_secs(60));
    /// assert!(breaker.check().is_ok());
    /// ```
    pub const fn growth(mut self, factor: f64) -> Self {
        if !factor.is_finite() || factor < 1.0 {
            return self.with_fault(ConfigError::Growth(factor));
        }
        self.settings.growth = factor;
        self
    }

    /// The longest open time that [`growth`](Self::growth) leads to, without the jitter; at least
    /// [`open_for`](Self::open_for). Unless it is set 5 min, or `open_for` if that is longer.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Breaker, ConfigError};
    /// use std::time::Duration;
    ///
    /// let breaker = Breaker::new("orders").open_for(Duration::from_secs(30));
    /// assert!(breaker.max_open(Duration::from_secs(10)).check().is_err());
    /// ```
    pub const fn max_open(mut self, time: Duration) -> Self {
        if time.is_zero() {
            return self.with_fault(ConfigError::ZeroDuration("max_open"));
        }
        self.settings.max_open = Some(time);
        self
    }

    /// Stays open for up to this share of the open time longer, drawn anew each time; between 0 and 1,
    /// and 0 unless it is set. With 0.1 or more, the many processes that a failure has opened at the same
    /// time do not send their probes in the same instant.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    ///
    /// assert_eq!(Breaker::new("orders").jitter(0.1).settings().jitter, 0.1);
    /// assert!(Breaker::new("orders").jitter(1.5).check().is_err());
    /// ```
    pub const fn jitter(mut self, share: f64) -> Self {
        if !(share >= 0.0 && share <= 1.0) {
            return self.with_fault(ConfigError::Fraction(share));
        }
        self.settings.jitter = share;
        self
    }

    /// How many calls at once are let through in the half-open state; at least 1, and 1 unless it is set.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    ///
    /// assert_eq!(Breaker::new("orders").probes(3).settings().probes, 3);
    /// ```
    pub const fn probes(mut self, at_once: u32) -> Self {
        if at_once == 0 {
            return self.with_fault(ConfigError::ZeroCount("probes"));
        }
        self.settings.probes = at_once;
        self
    }

    /// How long a probe holds its place; above zero. One that has not ended by then has its place taken
    /// by another, and what becomes of it later changes nothing. Unless it is set
    /// [`open_for`](Self::open_for): a dependency that swallows probes is then asked no more often than
    /// one that refuses them.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    /// use std::time::Duration;
    ///
    /// let breaker = Breaker::new("orders").probe_timeout(Duration::from_secs(2));
    /// assert_eq!(breaker.settings().probe_timeout, Some(Duration::from_secs(2)));
    /// ```
    pub const fn probe_timeout(mut self, time: Duration) -> Self {
        if time.is_zero() {
            return self.with_fault(ConfigError::ZeroDuration("probe_timeout"));
        }
        self.settings.probe_timeout = Some(time);
        self
    }

    /// A breaker with the same settings, as they were declared, closed and with all counts at zero; for tests that must not
    /// share state.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Breaker, BreakerState};
    ///
    /// static ORDERS: Breaker = Breaker::new("orders").consecutive(3);
    /// ORDERS.isolate();
    /// let copy = ORDERS.fresh_copy();
    /// assert_eq!((copy.state(), copy.settings().consecutive), (BreakerState::Closed, Some(3)));
    /// ```
    pub fn fresh_copy(&self) -> Self {
        Self {
            has_rule: self.has_rule,
            fault: self.fault,
            ..Self::assemble(self.name.clone(), self.settings)
        }
    }

    const fn assemble(name: Cow<'static, str>, settings: BreakerSettings) -> Self {
        Self {
            circuit: Circuit::new(
                AtomicU64::new(Word::START.bits()),
                AtomicU64::new(0),
                Mutex::new(Rest::new()),
            ),
            limits: Limits::of(&settings),
            settings,
            changed: Mutex::new(None),
            tally: Tally::new(),
            succession: Succession::new(AtomicU32::new(0), OnceLock::new(), AtomicBool::new(false)),
            counters: Counters::new(),
            has_rule: false,
            fault: None,
            name,
        }
    }

    /// With the limits of its settings.
    const fn limited(mut self) -> Self {
        self.limits = Limits::of(&self.settings);
        self
    }

    const fn with_rule(mut self) -> Self {
        if !self.has_rule {
            self.has_rule = true;
            self.settings.consecutive = None;
        }
        self
    }

    const fn with_fault(mut self, fault: ConfigError) -> Self {
        if self.fault.is_none() {
            self.fault = Some(fault);
        }
        self
    }
}

/// Also refuses NaN.
const fn is_share(share: f64) -> bool {
    share > 0.0 && share <= 1.0
}
