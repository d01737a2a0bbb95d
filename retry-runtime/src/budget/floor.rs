//! A few retries a second, whatever the balance, for as long as anything succeeds.
//!
//! This file names its atomics through `super::sync`, so that the model checker can compile the
//! very same code over its own.

use super::sync::{AtomicU32, AtomicU64, Ordering};

const SECOND: u64 = 1_000_000_000;

/// The rate is kept by one word, the time up to which its retries are granted ("theoretical arrival
/// time" of the generic cell rate algorithm, ITU-T I.371): it may run ahead of the clock by a second.
#[derive(Debug)]
pub(crate) struct Floor {
    /// At least 1.
    per_second: AtomicU32,
    /// Nanoseconds without a success after which nothing is granted.
    silence: AtomicU64,
    /// When something succeeded last, in nanoseconds and one more; 0 for never.
    succeeded: AtomicU64,
    granted_until: AtomicU64,
}

impl Floor {
    /// A floor of so many retries a second, at least 1, around two more words that are 0.
    pub(crate) const fn new(
        per_second: AtomicU32,
        silence: AtomicU64,
        succeeded: AtomicU64,
        granted_until: AtomicU64,
    ) -> Self {
        Self { per_second, silence, succeeded, granted_until }
    }

    pub(crate) fn per_second(&self) -> u32 {
        self.per_second.load(Ordering::Relaxed)
    }

    /// In nanoseconds.
    pub(crate) fn silence(&self) -> u64 {
        self.silence.load(Ordering::Relaxed)
    }

    pub(crate) fn change(&self, per_second: u32, silence: u64) {
        self.per_second.store(per_second, Ordering::Relaxed);
        self.silence.store(silence, Ordering::Relaxed);
    }

    /// Nanoseconds for each retry; at least 1. Rounded down, so that as many fit into a second.
    fn period(&self) -> u64 {
        (SECOND / u64::from(self.per_second().max(1))).max(1)
    }

    /// Nanoseconds until one retry more is below the floor, if nothing else happens; `None` if that is
    /// never.
    pub(crate) fn grants_in(&self, now: u64) -> Option<u64> {
        let succeeded = self.succeeded.load(Ordering::Relaxed).checked_sub(1)?;
        let until = self.granted_until.load(Ordering::Relaxed);
        let next = until.max(now).saturating_add(self.period());
        let wait = next.saturating_sub(now.saturating_add(SECOND));
        let silent = now.saturating_add(wait).saturating_sub(succeeded);
        (silent <= self.silence() && next != u64::MAX).then_some(wait)
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

    /// Whether one retry more is below the floor; it is then taken from it.
    pub(crate) fn grant(&self, now: u64) -> bool {
        let succeeded = self.succeeded.load(Ordering::Relaxed);
        if succeeded == 0 || now.saturating_sub(succeeded - 1) > self.silence() {
            return false;
        }
        let (latest, period) = (now.saturating_add(SECOND), self.period());
        let mut until = self.granted_until.load(Ordering::Relaxed);
        loop {
            let next = until.max(now).saturating_add(period);
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
