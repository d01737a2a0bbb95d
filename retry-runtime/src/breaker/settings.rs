//! What a breaker was told to do.

use std::cmp::{Ordering, Reverse};
use std::fmt;
use std::time::Duration;

use super::probes::ProbeRules;
use crate::backoff::growth::{exponential, scaled};
use crate::names::Settings;
use crate::time::nanos;
use crate::{Moment, Uniform};

/// The longest open time that growth leads to, unless `open_for` is longer or `max_open` says otherwise.
const MAX_OPEN: Duration = Duration::from_secs(300);

/// The settings of a breaker, in comparable form. Two breakers with equal settings behave alike.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::Breaker;
///
/// let settings = Breaker::new("orders").consecutive(3).settings();
/// assert_eq!(settings, Breaker::new("payments").consecutive(3).settings());
/// println!("{settings}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BreakerSettings {
    /// It opens after this many failures in a row.
    pub consecutive: Option<u32>,
    /// It opens after this many timeouts without a success between them.
    pub consecutive_timeouts: Option<u32>,
    /// It opens when this share of the calls in the window failed.
    pub failure_rate: Option<f64>,
    /// It opens when the first is the share of the calls in the window that took longer than the second.
    pub slow_calls: Option<(f64, Duration)>,
    /// How far back calls and failures count.
    pub window: Duration,
    /// With fewer calls than this in the window no share is asked.
    pub min_calls: u32,
    /// How long it stays open at first.
    pub open_for: Duration,
    /// What the open time is multiplied by each time that a probe fails.
    pub growth: f64,
    /// The longest open time, without the jitter.
    pub max_open: Option<Duration>,
    /// The share of the open time that is added at random.
    pub jitter: f64,
    /// How many calls at once are let through in the half-open state.
    pub probes: u32,
    /// How long a probe holds its place.
    pub probe_timeout: Option<Duration>,
}

impl BreakerSettings {
    pub(super) const DEFAULT: Self = Self {
        consecutive: Some(5),
        consecutive_timeouts: None,
        failure_rate: None,
        slow_calls: None,
        window: Duration::from_secs(60),
        min_calls: 20,
        open_for: Duration::from_secs(30),
        growth: 1.0,
        max_open: None,
        jitter: 0.0,
        probes: 1,
        probe_timeout: None,
    };

    /// Whether a success leaves a trace.
    #[inline]
    pub(super) const fn measures_rates(&self) -> bool {
        self.failure_rate.is_some() || self.slow_calls.is_some()
    }

    pub(super) const fn probe_rules(&self) -> ProbeRules {
        let lease = match self.probe_timeout {
            Some(timeout) => timeout,
            None => self.open_for,
        };
        ProbeRules { most: self.probes, lease }
    }

    /// Until when it stays open that opens now, and before that opened again this many times in a row.
    ///
    /// `open_for · growth^reopened`, at most `max_open`, and up to `jitter` of that on top.
    pub(super) fn open_until<R: Uniform>(
        &self,
        now: Moment,
        reopened: u32,
        random: impl FnOnce() -> R,
    ) -> Moment {
        let first = nanos(self.open_for);
        let most = nanos(self.max_open.unwrap_or(MAX_OPEN)).max(first);
        let time = exponential(first, self.growth, reopened).min(most);
        let spread = scaled(time, self.jitter);
        let extra = if spread == 0 { 0 } else { random().up_to(spread) };
        Moment::from_nanos(now.as_nanos().saturating_add(time).saturating_add(extra))
    }

    /// How many calls in a row that all time out open it, at the least.
    fn least_calls(&self) -> u32 {
        let by_rate = self.failure_rate.or(self.slow_calls.map(|(share, _)| share));
        let rules = [self.consecutive, self.consecutive_timeouts, by_rate.map(|_| self.min_calls)];
        rules.into_iter().flatten().min().unwrap_or(u32::MAX)
    }
}

impl Settings for BreakerSettings {
    const KIND: &'static str = "breaker";

    /// Smaller is tighter: what opens after fewer calls that all time out, then at a smaller share of
    /// failures, then of slow calls, then what counts longer, then what stays open longer; then by what
    /// is left, so that the order is total and never depends on who was registered first.
    fn by_tightness(&self, other: &Self) -> Ordering {
        let count = |limit: Option<u32>| limit.unwrap_or(u32::MAX);
        // Not negative, so their bits are in order.
        let share = |limit: Option<f64>| limit.map_or(u64::MAX, f64::to_bits);
        let key = |one: &Self| {
            let slow = one.slow_calls;
            (
                (one.least_calls(), share(one.failure_rate), share(slow.map(|(share, _)| share))),
                (slow.map(|(_, longer)| longer), Reverse(one.window), Reverse(one.open_for)),
                (count(one.consecutive), count(one.consecutive_timeouts), one.min_calls),
                (one.probes, Reverse(one.probe_timeout), Reverse(one.max_open)),
                (Reverse(one.growth.to_bits()), Reverse(one.jitter.to_bits())),
            )
        };
        key(self).cmp(&key(other))
    }
}

impl fmt::Display for BreakerSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |name, value: Option<u32>| value.map(|value| format!("`{name}` {value}, "));
        let time =
            |name, value: Option<Duration>| value.map(|value| format!(", `{name}` {value:?}"));
        let parts = [
            count("consecutive", self.consecutive),
            count("consecutive_timeouts", self.consecutive_timeouts),
            self.failure_rate.map(|rate| format!("`failure_rate` {rate}, ")),
            self.slow_calls.map(|(rate, longer)| format!("`slow_calls` {rate} over {longer:?}, ")),
            count("min_calls", self.measures_rates().then_some(self.min_calls)),
            Some(format!("`window` {:?}, `open_for` {:?}", self.window, self.open_for)),
            (self.growth > 1.0).then(|| format!(", `growth` {}", self.growth)),
            time("max_open", self.max_open),
            (self.jitter > 0.0).then(|| format!(", `jitter` {}", self.jitter)),
            Some(format!(", `probes` {}", self.probes)),
            time("probe_timeout", self.probe_timeout),
        ];
        parts.iter().flatten().try_for_each(|part| f.write_str(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Generator;

    const NOW: Moment = Moment::from_nanos(1_000);

    fn seconds(settings: &BreakerSettings, reopened: u32, random: Generator) -> u64 {
        NOW.until(settings.open_until(NOW, reopened, || random)).as_secs()
    }

    #[test]
    fn the_open_time_grows_with_each_failed_probe_up_to_its_limit() {
        let grows = BreakerSettings { growth: 2.0, ..BreakerSettings::DEFAULT };
        let times = [0, 1, 2, 3, 4, 5, u32::MAX];
        let open = times.map(|reopened| seconds(&grows, reopened, Generator::highest()));
        assert_eq!(open, [30, 60, 120, 240, 300, 300, 300]);
        let limited = BreakerSettings { max_open: Some(Duration::from_secs(45)), ..grows };
        assert_eq!([0, 1].map(|n| seconds(&limited, n, Generator::highest())), [30, 45]);
        let long = BreakerSettings { open_for: Duration::from_secs(1_000), ..grows };
        assert_eq!([0, 9].map(|n| seconds(&long, n, Generator::highest())), [1_000; 2]);
        assert_eq!(seconds(&BreakerSettings::DEFAULT, 7, Generator::highest()), 30);
    }

    #[test]
    fn jitter_adds_up_to_its_share_and_takes_nothing_away() {
        let spread = BreakerSettings { jitter: 0.5, ..BreakerSettings::DEFAULT };
        assert_eq!(seconds(&spread, 0, Generator::lowest()), 30);
        assert_eq!(seconds(&spread, 0, Generator::highest()), 45);
        let drawn: Vec<_> = (0..50).map(|n| seconds(&spread, 0, Generator::seeded(n, 0))).collect();
        assert!(drawn.iter().all(|time| (30..=45).contains(time)));
        assert!(drawn.iter().any(|time| *time < 33) && drawn.iter().any(|time| *time > 42));
    }

    // R019
    #[test]
    fn the_longest_open_time_is_never_over() {
        let settings = BreakerSettings {
            open_for: Duration::MAX,
            growth: 1e308,
            jitter: 1.0,
            ..BreakerSettings::DEFAULT
        };
        for reopened in [0, 1, u32::MAX] {
            let until = settings.open_until(NOW, reopened, Generator::highest);
            assert_eq!(until, Moment::NEVER);
        }
    }
}
