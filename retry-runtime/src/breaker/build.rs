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
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        let breaker = Self::assemble(Cow::Borrowed(name), BreakerSettings::DEFAULT);
        if name.is_empty() { breaker.with_fault(ConfigError::EmptyName) } else { breaker }
    }

    /// The same as [`Breaker::new`], for a name that is known only at run time.
    pub fn dynamic(name: impl Into<String>) -> Self {
        let name = name.into();
        let empty = name.is_empty();
        let breaker = Self::assemble(Cow::Owned(name), BreakerSettings::DEFAULT);
        if empty { breaker.with_fault(ConfigError::EmptyName) } else { breaker }
    }

    /// Opens for 30 s after three timeouts that had no success between them.
    #[must_use]
    pub const fn three_timeouts(name: &'static str) -> Self {
        Self::new(name).consecutive_timeouts(3).open_for(Duration::from_secs(30))
    }

    /// Opens after this many failures in a row, timeouts included; at least 1. Failures older than
    /// [`window`](Self::window) no longer count.
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
    pub const fn window(mut self, length: Duration) -> Self {
        if length.is_zero() {
            return self.with_fault(ConfigError::ZeroDuration("window"));
        }
        self.settings.window = length;
        self.limited()
    }

    /// The number of calls in the window from which rates are asked; at least 1, and 20 unless it is
    /// set.
    pub const fn min_calls(mut self, calls: u32) -> Self {
        if calls == 0 {
            return self.with_fault(ConfigError::ZeroCount("min_calls"));
        }
        self.settings.min_calls = calls;
        self.limited()
    }

    /// How long it stays open; above zero, 30 s unless it is set. With `Duration::MAX` until it is closed
    /// by hand.
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
    pub const fn growth(mut self, factor: f64) -> Self {
        if !factor.is_finite() || factor < 1.0 {
            return self.with_fault(ConfigError::Growth(factor));
        }
        self.settings.growth = factor;
        self
    }

    /// The longest open time that [`growth`](Self::growth) leads to, without the jitter; at least
    /// [`open_for`](Self::open_for). Unless it is set 5 min, or `open_for` if that is longer.
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
    pub const fn jitter(mut self, share: f64) -> Self {
        if !(share >= 0.0 && share <= 1.0) {
            return self.with_fault(ConfigError::Fraction(share));
        }
        self.settings.jitter = share;
        self
    }

    /// How many calls at once are let through in the half-open state; at least 1, and 1 unless it is set.
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
    pub const fn probe_timeout(mut self, time: Duration) -> Self {
        if time.is_zero() {
            return self.with_fault(ConfigError::ZeroDuration("probe_timeout"));
        }
        self.settings.probe_timeout = Some(time);
        self
    }

    /// A breaker with the same settings, as they were declared, closed and with all counts at zero; for tests that must not
    /// share state.
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
