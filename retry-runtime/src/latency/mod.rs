//! How long attempts take, in a fixed amount of memory.

mod buckets;
mod halves;
#[cfg(feature = "adaptive")]
mod recent;
mod sync;

use std::time::Duration;

use crate::{Moment, time::nanos};

use halves::{Half, Halves};
use sync::{AtomicBool, AtomicU32, AtomicU64};

/// A share of attempts: the time within which so many of them end. For `expect` and `hedge`, which write it
/// `"p95"` in the attribute.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::Quantile;
///
/// assert_eq!(Quantile::P95.percent(), 95);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Quantile {
    /// Half of them.
    P50,
    /// Three of four.
    P75,
    /// Nine of ten.
    P90,
    /// Nineteen of twenty.
    P95,
    /// 99 of a hundred.
    P99,
}

impl Quantile {
    /// In per cent.
    #[must_use]
    pub const fn percent(self) -> u32 {
        match self {
            Self::P50 => 50,
            Self::P75 => 75,
            Self::P90 => 90,
            Self::P95 => 95,
            Self::P99 => 99,
        }
    }
}

/// Fewer than these tell nothing about the slowest of twenty.
const LEAST_SAMPLES: u64 = 20;
/// A half that has counted as many hands over before its time: under heavy traffic a change is seen
/// sooner.
const FULL: u32 = 1 << 16;

/// How long the attempts of a function took lately.
///
/// A histogram with buckets that grow with what they hold: a duration between 8.2 µs and 275 s that it
/// tells is off by at most a seventeenth (5.9 %). Shorter ones count as 4.1 µs, longer ones as 275 s.
/// It forgets: what counts is no older than a minute, and at least the last half minute or the last
/// 65,536 attempts are in it.
///
/// It takes 1.6 KiB (1.9 KiB with the feature `adaptive`) in a static, allocates nothing and takes no
/// lock: two additions to record.
///
/// ```
/// use retry_runtime::{Latency, Moment, Quantile};
/// use std::time::Duration;
///
/// static ORDERS: Latency = Latency::new();
///
/// let now = Moment::from_nanos(0);
/// for milliseconds in 1..=100 {
///     ORDERS.record(Duration::from_millis(milliseconds), now);
/// }
/// let p95 = ORDERS.quantile(Quantile::P95, now).expect("a hundred are enough");
/// assert!(p95 > Duration::from_millis(89) && p95 < Duration::from_millis(101));
/// ```
#[derive(Debug)]
pub struct Latency {
    histogram: Halves<{ buckets::COUNT }, FULL>,
    #[cfg(feature = "adaptive")]
    recent: recent::Recent,
}

impl Latency {
    /// Nothing is known yet.
    #[must_use]
    pub const fn new() -> Self {
        const fn half() -> Half<{ buckets::COUNT }> {
            Half {
                began: AtomicU64::new(0),
                recorded: AtomicU32::new(0),
                counters: [const { AtomicU32::new(0) }; buckets::COUNT],
            }
        }
        Self {
            histogram: Halves::around([half(), half()], AtomicU32::new(0), AtomicBool::new(false)),
            #[cfg(feature = "adaptive")]
            recent: recent::Recent::new(),
        }
    }

    /// An attempt took so long, and ended `now`.
    pub fn record(&self, took: Duration, now: Moment) {
        self.histogram.count(buckets::bucket(nanos(took)), now.as_nanos());
        #[cfg(feature = "adaptive")]
        self.recent.push(nanos(took));
    }

    /// The time within which this share of the attempts ended; `None` while fewer than 20 are known.
    #[must_use]
    pub fn quantile(&self, quantile: Quantile, now: Moment) -> Option<Duration> {
        let counts = self.histogram.counts(now.as_nanos());
        let all: u64 = counts.iter().sum();
        if all < LEAST_SAMPLES {
            return None;
        }
        let wanted = (all * u64::from(quantile.percent())).div_ceil(100);
        let mut within = 0;
        let found = counts.iter().position(|count| {
            within += count;
            within >= wanted
        });
        found.map(buckets::duration)
    }

    /// The variance of the last 32 durations, in square milliseconds; `None` for fewer than two.
    #[cfg(feature = "adaptive")]
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        self.recent.variance()
    }

    /// The last duration, whoever's attempt it was.
    #[cfg(feature = "adaptive")]
    #[must_use]
    pub fn last(&self) -> Option<Duration> {
        self.recent.last()
    }
}

impl Default for Latency {
    fn default() -> Self {
        Self::new()
    }
}
