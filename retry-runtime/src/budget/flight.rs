//! How many calls and how many of their retries are under way.
//!
//! This file names its atomics through `super::sync`, so that the model checker can compile the
//! very same code over its own.

use super::sync::{AtomicU32, AtomicU64, Ordering};

/// Units of the whole, in which shares are held.
const WHOLE: u64 = 1_000_000_000;

/// Retries under way as a share of the calls under way.
#[derive(Debug)]
pub(crate) struct Flight {
    share: AtomicU64,
    least: AtomicU32,
    calls: AtomicU64,
    retries: AtomicU64,
}

impl Flight {
    /// At most `share` of the calls may be retries, but always `least` of them; around two more words
    /// that are 0.
    pub(crate) const fn new(
        share: AtomicU64,
        least: AtomicU32,
        calls: AtomicU64,
        retries: AtomicU64,
    ) -> Self {
        Self { share, least, calls, retries }
    }

    pub(crate) const fn set_share(&mut self, share: AtomicU64) {
        self.share = share;
    }

    pub(crate) const fn set_least(&mut self, retries: AtomicU32) {
        self.least = retries;
    }

    pub(crate) fn change(&self, share: u64, least: u32) {
        self.share.store(share, Ordering::Relaxed);
        self.least.store(least, Ordering::Relaxed);
    }

    pub(crate) fn share(&self) -> u64 {
        self.share.load(Ordering::Relaxed)
    }

    pub(crate) fn least(&self) -> u32 {
        self.least.load(Ordering::Relaxed)
    }

    /// A call has begun.
    pub(crate) fn begin(&self) {
        self.calls.fetch_add(1, Ordering::Relaxed);
    }

    /// A call has ended.
    pub(crate) fn end(&self) {
        lower(&self.calls);
    }

    /// Retries that may be under way at once now.
    pub(crate) fn most(&self) -> u64 {
        let calls = u128::from(self.calls.load(Ordering::Relaxed));
        let share = calls * u128::from(self.share()) / u128::from(WHOLE);
        u64::try_from(share).unwrap_or(u64::MAX).max(self.least().into())
    }

    /// Retries that could begin now.
    pub(crate) fn left(&self) -> u64 {
        self.most().saturating_sub(self.retries.load(Ordering::Relaxed))
    }

    /// A retry is under way from here on, if one more may be.
    pub(crate) fn begin_retry(&self) -> bool {
        let most = self.most();
        let mut retries = self.retries.load(Ordering::Relaxed);
        while retries < most {
            match self.retries.compare_exchange_weak(
                retries,
                retries + 1,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return true,
                Err(seen) => retries = seen,
            }
        }
        false
    }

    /// A retry has ended, or will not start.
    pub(crate) fn end_retry(&self) {
        lower(&self.retries);
    }
}

/// Never below zero, as the receipt of a withdrawal can be copied and handed in twice.
fn lower(count: &AtomicU64) {
    let mut seen = count.load(Ordering::Relaxed);
    while seen != 0 {
        match count.compare_exchange_weak(seen, seen - 1, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return,
            Err(now) => seen = now,
        }
    }
}
