//! What the shop calls, and how it fails by a schedule.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use stormless::Retryable;
use tokio::time::{Instant, sleep};

/// What a dependency is like for a part of the demonstration.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Healthy,
    Slow,
    Failing,
    Recovering,
}

impl Phase {
    /// The phases, and the share of the demonstration at which each begins.
    const SCHEDULE: [(f64, Self); 4] =
        [(0.0, Self::Healthy), (0.2, Self::Slow), (0.4, Self::Failing), (0.7, Self::Recovering)];

    /// How long an answer takes, and the share of requests that fail.
    const fn behaviour(self) -> (Duration, f64) {
        match self {
            Self::Healthy => (Duration::from_millis(5), 0.01),
            Self::Slow => (Duration::from_millis(70), 0.04),
            Self::Failing => (Duration::from_millis(20), 0.85),
            Self::Recovering => (Duration::from_millis(8), 0.02),
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Healthy => "healthy",
            Self::Slow => "slow",
            Self::Failing => "failing",
            Self::Recovering => "recovering",
        })
    }
}

/// When the phases are. The schedule begins again when it is through.
#[derive(Clone, Copy)]
pub(crate) struct Schedule {
    began: Instant,
    length: Duration,
}

impl Schedule {
    pub(crate) fn new(length: Duration) -> Self {
        Self { began: Instant::now(), length }
    }

    pub(crate) fn phase(&self) -> Phase {
        let share = (self.began.elapsed().as_secs_f64() / self.length.as_secs_f64()).fract();
        let begun = Phase::SCHEDULE.iter().rev().find(|(begin, _)| *begin <= share);
        begun.map_or(Phase::Healthy, |(_, phase)| *phase)
    }
}

/// What can go wrong, and what each failure means for a retry.
#[derive(Debug, thiserror::Error, Retryable)]
pub(crate) enum ShopError {
    #[error("unavailable")]
    #[retryable(transient)]
    Unavailable,
    #[error("too many requests")]
    #[retryable(throttled, retry_after = wait)]
    Busy { wait: Option<Duration> },
    #[error("no such thing")]
    #[retryable(permanent, executed)]
    NotFound,

    // How calls that were cut report themselves.
    #[error("too slow")]
    #[retryable(attempt_timeout)]
    TooSlow,
    #[error("out of time")]
    #[retryable(deadline_exceeded)]
    OutOfTime,
    #[error("not asked: it fails anyway")]
    #[retryable(breaker_open)]
    NotAsked,
}

/// Something that is asked and answers, or fails. What it does at random is the same in each run, as far as
/// it is asked in the same order.
pub(crate) struct Dependency {
    schedule: Schedule,
    random: Mutex<u64>,
}

impl Dependency {
    pub(crate) const fn new(schedule: Schedule, seed: u64) -> Self {
        Self { schedule, random: Mutex::new(seed) }
    }

    pub(crate) async fn ask(&self) -> Result<(), ShopError> {
        let (latency, failing) = self.schedule.phase().behaviour();
        let (spread, fate, which) = (self.draw(), self.draw(), self.draw());
        // One answer in a hundred takes three times as long.
        let longest = if spread < 0.01 { 3.0 } else { 1.0 + spread };
        sleep(latency.mul_f64(longest)).await;
        if fate >= failing {
            return if which < 0.01 { Err(ShopError::NotFound) } else { Ok(()) };
        }
        Err(if which < 0.8 {
            ShopError::Unavailable
        } else {
            ShopError::Busy { wait: Some(Duration::from_millis(20)) }
        })
    }

    /// Uniform in [0, 1). `SplitMix64`, from Steele, Lea and Flood: "Fast splittable pseudorandom number
    /// generators" (2014).
    #[allow(clippy::cast_precision_loss)] // The 53 bits that are left fit.
    fn draw(&self) -> f64 {
        let mut state = self.random.lock().unwrap_or_else(PoisonError::into_inner);
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = *state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}
