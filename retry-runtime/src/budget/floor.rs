//! A few retries a second, whatever the balance, for as long as anything succeeds.
//!
//! This file names its atomics through `super::sync`, so that the model checker can compile the
//! very same code over its own.

use super::sync::{AtomicU64, Ordering};

const SECOND: u64 = 1_000_000_000;

/// The rate is kept by one word, the time up to which its retries are granted ("theoretical arrival
/// time" of the generic cell rate algorithm, ITU-T I.371): it may run ahead of the clock by a second.
#[derive(Debug)]
pub(crate) struct Floor {
    /// Nanoseconds for each retry; at least 1.
    period: u64,
    /// Nanoseconds without a success after which nothing is granted.
    silence: u64,
    /// When something succeeded last, in nanoseconds and one more; 0 for never.
    succeeded: AtomicU64,
    granted_until: AtomicU64,
}

impl Floor {
    /// A floor of so many retries a second, at least 1, around two words that are 0.
    pub(crate) const fn new(
        per_second: u32,
        silence: u64,
        succeeded: AtomicU64,
        granted_until: AtomicU64,
    ) -> Self {
        let per_second = if per_second == 0 { 1 } else { per_second as u64 };
        // Rounded down, so that as many fit into a second.
        let period = if per_second > SECOND { 1 } else { SECOND / per_second };
        Self { period, silence, succeeded, granted_until }
    }

    /// Something succeeded.
    pub(crate) fn note_success(&self, now: u64) {
        let now = now.saturating_add(1);
        // Many threads succeed at once; only who brings news writes.
        if self.succeeded.load(Ordering::Relaxed) < now {
            self.succeeded.fetch_max(now, Ordering::Relaxed);
        }
    }

    /// Nothing has succeeded yet.
    pub(crate) fn forget(&self) {
        self.succeeded.store(0, Ordering::Relaxed);
    }

    /// How long it is until one retry more is below the floor, if nothing else happens; `None` if time
    /// does not bring it.
    pub(crate) fn next(&self, now: u64) -> Option<u64> {
        let succeeded = self.succeeded.load(Ordering::Relaxed);
        let until = self.granted_until.load(Ordering::Relaxed).max(now);
        let wait = until.saturating_add(self.period).saturating_sub(now.saturating_add(SECOND));
        let then = now.saturating_add(wait);
        (succeeded != 0 && then.saturating_sub(succeeded - 1) <= self.silence).then_some(wait)
    }

    /// Whether one retry more is below the floor; it is then taken from it.
    pub(crate) fn grant(&self, now: u64) -> bool {
        let succeeded = self.succeeded.load(Ordering::Relaxed);
        if succeeded == 0 || now.saturating_sub(succeeded - 1) > self.silence {
            return false;
        }
        let latest = now.saturating_add(SECOND);
        let mut until = self.granted_until.load(Ordering::Relaxed);
        loop {
            let next = until.max(now).saturating_add(self.period);
            // At the end of the clock's range time no longer passes, and neither does anything else.
            if next > latest || next == u64::MAX {
                return false;
            }
            match self.granted_until.compare_exchange_weak(
                until,
                next,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return true,
                Err(seen) => until = seen,
            }
        }
    }
}
