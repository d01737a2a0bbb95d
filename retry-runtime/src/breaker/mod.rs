//! Breakers: whether a call is worth making at all.

mod build;
mod changes;
mod check;
mod circuit;
mod declare;
mod limits;
mod look;
mod macros;
mod manual;
pub(crate) mod overrides;
mod permit;
mod probes;
mod registry;
mod seen;
mod settings;
mod share;
mod state;
mod stats;
mod streak;
mod tally;
mod word;

pub(crate) use changes::Untold;
pub use declare::NamedBreaker;
pub(crate) use overrides::{KEYS, check_value};
pub use permit::Permit;
pub use registry::BreakerEntry;
pub(crate) use registry::{all, used_by};
pub use seen::Seen;
pub use settings::BreakerSettings;
pub use state::BreakerState;
pub use stats::{BreakerRecent, BreakerStats};

use std::borrow::Cow;
use std::fmt;

use self::circuit::{Circuit, Pass, Refused, Verdict};
use self::limits::Limits;
use self::stats::{Count, Counters};
use self::sync::Mutex;
use self::tally::{Facts, Tally};
use self::word::Word;
use crate::names::Succession;
use crate::{BreakerOpen, ConfigError, Moment, control, isolation, ring, sync};

/// Whether calls to one dependency are worth making.
///
/// Closed, it lets all calls through and looks at what becomes of them. When too many of them fail it
/// opens, and refuses all calls for a while, so that callers need not wait for what will not come and the
/// dependency can recover. When that time is over it is half-open, and lets a few calls through, its
/// probes: one that succeeds closes it, one that fails opens it again.
///
/// | rule | it opens when |
/// |---|---|
/// | [`consecutive`](Self::consecutive) | so many calls in a row failed |
/// | [`consecutive_timeouts`](Self::consecutive_timeouts) | so many calls without a success between them timed out |
/// | [`failure_rate`](Self::failure_rate) | so large a share of the calls in the window failed |
/// | [`slow_calls`](Self::slow_calls) | so large a share of the calls in the window were slow |
///
/// Any number of rules together; the first that is met opens it. Without one it is five failures in a
/// row. Failures that are older than the [`window`](Self::window), a minute, count for nothing.
///
/// What a call says is its [classification](crate::Classification)'s affair: timeouts and failures that
/// may pass by themselves count against the dependency; an answer counts for it, also one like "not
/// found" or "somebody else was faster". Calls that were dropped, cut at a deadline, refused by a
/// breaker, or that failed within this process count neither way.
///
/// A breaker is made in a `static` or declared at run time and is shared by all threads. While it is
/// closed it takes no lock, and a call that succeeds reads two words and writes none, unless a rate is
/// measured.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::time::Duration;
/// use stormless::{Breaker, BreakerState, breaker};
///
/// breaker! {
///     static ORDERS: Breaker = Breaker::new("orders").consecutive(5).open_for(Duration::from_secs(30));
/// }
///
/// assert_eq!(ORDERS.state(), BreakerState::Closed);
/// ORDERS.isolate();
/// assert_eq!(ORDERS.state(), BreakerState::Isolated);
/// ORDERS.close();
/// ```
pub struct Breaker {
    circuit: Circuit,
    /// As declared.
    settings: BreakerSettings,
    limits: Limits,
    /// What is in force where that is something else. Who changes it holds the lock.
    changed: Mutex<Option<Box<BreakerSettings>>>,
    tally: Tally,
    succession: Succession<Breaker>,
    counters: Counters,
    /// Whether a rule was given, so that the default one no longer applies.
    has_rule: bool,
    fault: Option<ConfigError>,
    name: Cow<'static, str>,
}

impl Breaker {
    /// The name that `breaker = "…"` refers to.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is in force: what was declared, and what was overridden since.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    ///
    /// assert_eq!(Breaker::new("orders").consecutive(3).settings().consecutive, Some(3));
    /// ```
    pub fn settings(&self) -> BreakerSettings {
        control::expire_now();
        isolation::view(self).settings_here()
    }

    /// What was declared, whatever is overridden by now.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    ///
    /// let breaker = Breaker::new("orders").consecutive(3);
    /// assert_eq!(breaker.declared_settings(), breaker.settings());
    /// ```
    pub const fn declared_settings(&self) -> BreakerSettings {
        self.settings
    }

    /// Asks whether a call may start, on the very breaker that is [in force](Self::here). One load if it
    /// is closed; the clock is then read only if slow calls are measured.
    ///
    /// # Errors
    ///
    /// If it is open, or half-open with all its probes under way.
    #[doc(hidden)]
    #[inline]
    pub fn admit(&'static self, clock: impl FnOnce() -> Moment) -> Result<Permit, BreakerOpen> {
        let word = self.circuit.glance();
        if word.is_closed() {
            let started = if self.settings.slow_calls.is_some() { clock() } else { Moment::NEVER };
            return Ok(Permit::new(self, Pass::closed(word), started));
        }
        self.admit_probe(clock())
    }

    #[cold]
    fn admit_probe(&'static self, now: Moment) -> Result<Permit, BreakerOpen> {
        // It may be closed to calls by an override that is over.
        control::expire(now);
        let (admitted, change) = self.circuit.admit(now, self.settings_here().probe_rules());
        self.tell(change, now);
        match admitted {
            Ok(pass) => Ok(Permit::new(self, pass, now)),
            Err(refused) => {
                self.counters.add(Count::Rejected);
                Err(refused.at(now))
            }
        }
    }

    /// Whether a call that starts now would be refused. Takes no lock, changes nothing and counts
    /// nothing.
    #[doc(hidden)]
    pub fn refuses(&self, now: Moment) -> Option<BreakerOpen> {
        self.circuit.refuses(now).map(|refused| refused.at(now))
    }

    /// Whether a success under this word needs no more than to be forgotten.
    #[inline]
    fn ignores_success(&self, word: Word) -> bool {
        // One that began before the breaker opened is late, and counts as nothing else.
        word.is_closed()
            && self.circuit.glance() == word
            && self.tally.ignores_success(&self.settings, word)
    }

    /// Takes note of what became of a call.
    fn note(&'static self, pass: Pass, started: Moment, seen: Seen, now: Moment) {
        let (failed, timed_out) = match seen {
            Seen::Success => (false, false),
            Seen::Failure => (true, false),
            Seen::Timeout => (true, true),
            Seen::Ignored => return,
        };
        let is_slow = || self.settings.slow_calls.is_some() && self.limits.is_slow(started, now);
        let mut slow = is_slow();
        if failed || slow {
            // It opens by these alone, and not by numbers that are over.
            control::expire(now);
            slow = is_slow();
        }
        let until = |reopened| self.settings_here().open_until(now, reopened, isolation::generator);
        let opened = if pass.is_probe() {
            let (rules, healthy) = (self.settings_here().probe_rules(), !failed && !slow);
            let (verdict, change) = self.circuit.settle(pass, healthy, now, rules, until);
            self.tell(change, now);
            match verdict {
                Verdict::Late => return self.counters.add(Count::Late),
                Verdict::Closed => false,
                Verdict::Reopened => true,
            }
        } else {
            if self.circuit.word() != pass.word {
                return self.counters.add(Count::Late);
            }
            let facts = Facts { failed, timed_out, slow };
            let opens = self.tally.note(&self.settings, &self.limits, pass.word, facts, now);
            let change = if opens { self.circuit.trip(pass.word, until) } else { None };
            self.tell(change, now);
            change.is_some()
        };
        for (counts, count) in [
            (failed, Count::Failures),
            (timed_out, Count::Timeouts),
            (slow, Count::Slow),
            (opened, Count::Opened),
            (!failed && isolation::counting(), Count::Successes),
        ] {
            if counts {
                self.counters.add(count);
            }
        }
    }

    /// A call that says nothing has ended.
    fn forget(&self, pass: Pass, count: Count) {
        self.counters.add(count);
        if pass.is_probe() {
            self.circuit.give_back(pass, self.settings_here().probe_rules());
        }
    }
}

impl Refused {
    /// As the error that callers get.
    fn at(self, now: Moment) -> BreakerOpen {
        BreakerOpen::new(self.0.map(|until| now.until(until)))
    }
}

impl fmt::Debug for Breaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Breaker")
            .field("name", &self.name)
            .field("settings", &self.settings_here())
            .field("state", &self.circuit.word().kind())
            .field("stats", &self.counters.read())
            .finish_non_exhaustive()
    }
}
