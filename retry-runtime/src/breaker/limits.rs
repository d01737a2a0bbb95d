//! The numbers that closed breakers measure calls by, in words that can change while they do.

use super::BreakerSettings;
use super::share::{Limit, units};
use super::sync::{AtomicU32, AtomicU64, Ordering};
use crate::Moment;
use crate::ring::SLOTS;
use crate::slots::SlotClock;
use crate::time::nanos;

/// Which rules there are stands in the settings and never changes; of others the number is 0.
#[derive(Debug)]
pub(super) struct Limits {
    consecutive: AtomicU32,
    consecutive_timeouts: AtomicU32,
    failed: AtomicU64,
    slow: AtomicU64,
    /// Nanoseconds after which a call is slow.
    slow_after: AtomicU64,
    min_calls: AtomicU32,
    window: SlotClock,
}

impl Limits {
    pub(super) const fn of(settings: &BreakerSettings) -> Self {
        let numbers = Numbers::of(settings);
        Self {
            consecutive: AtomicU32::new(numbers.consecutive),
            consecutive_timeouts: AtomicU32::new(numbers.consecutive_timeouts),
            failed: AtomicU64::new(numbers.failed),
            slow: AtomicU64::new(numbers.slow),
            slow_after: AtomicU64::new(numbers.slow_after),
            min_calls: AtomicU32::new(settings.min_calls),
            window: SlotClock::new(
                AtomicU64::new(nanos(settings.window)),
                AtomicU32::new(0),
                AtomicU64::new(0),
                AtomicU64::new(0),
            ),
        }
    }

    /// From here on these. Failures and calls that were counted so far count on, unless the window has
    /// another length: then it starts empty, after the slot `newest`. Callers take turns.
    pub(super) fn change(&self, settings: &BreakerSettings, now: Moment, newest: u64) {
        let numbers = Numbers::of(settings);
        self.consecutive.store(numbers.consecutive, Ordering::Relaxed);
        self.consecutive_timeouts.store(numbers.consecutive_timeouts, Ordering::Relaxed);
        self.failed.store(numbers.failed, Ordering::Relaxed);
        self.slow.store(numbers.slow, Ordering::Relaxed);
        self.slow_after.store(numbers.slow_after, Ordering::Relaxed);
        self.min_calls.store(settings.min_calls, Ordering::Relaxed);
        self.window.change(nanos(settings.window), SLOTS, now.as_nanos(), newest);
    }

    pub(super) fn consecutive(&self) -> u32 {
        self.consecutive.load(Ordering::Relaxed)
    }

    pub(super) fn consecutive_timeouts(&self) -> u32 {
        self.consecutive_timeouts.load(Ordering::Relaxed)
    }

    pub(super) fn failed(&self) -> Limit {
        self.limit(&self.failed)
    }

    pub(super) fn slow(&self) -> Limit {
        self.limit(&self.slow)
    }

    fn limit(&self, share: &AtomicU64) -> Limit {
        Limit::of(share.load(Ordering::Relaxed), self.min_calls.load(Ordering::Relaxed))
    }

    /// Whether this call took too long; what has no beginning did not.
    pub(super) fn is_slow(&self, started: Moment, now: Moment) -> bool {
        let took = now.as_nanos().saturating_sub(started.as_nanos());
        started != Moment::NEVER && took > self.slow_after.load(Ordering::Relaxed)
    }

    pub(super) fn slot(&self, now: Moment) -> u64 {
        self.window.slot(now.as_nanos(), SLOTS)
    }
}

struct Numbers {
    consecutive: u32,
    consecutive_timeouts: u32,
    failed: u64,
    slow: u64,
    slow_after: u64,
}

impl Numbers {
    const fn of(settings: &BreakerSettings) -> Self {
        const fn count(rule: Option<u32>) -> u32 {
            match rule {
                Some(count) => count,
                None => 0,
            }
        }
        let failed = match settings.failure_rate {
            Some(share) => units(share),
            None => 0,
        };
        let (slow, slow_after) = match settings.slow_calls {
            Some((share, longer_than)) => (units(share), nanos(longer_than)),
            None => (0, 0),
        };
        let consecutive = count(settings.consecutive);
        let consecutive_timeouts = count(settings.consecutive_timeouts);
        Self { consecutive, consecutive_timeouts, failed, slow, slow_after }
    }
}
