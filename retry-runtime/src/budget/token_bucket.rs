//! A bucket of retries in one atomic word.
//!
//! The word holds the *deficit*: how far the bucket is below full. Full is therefore zero whatever
//! the capacity, which makes the most frequent operation, an answered call while nothing is wrong,
//! one load and one comparison with a constant.
//!
//! This file names its atomics through `super::sync`, so that the model checker can compile the
//! very same code over its own.

use super::sync::{AtomicU64, Ordering};

/// Retries in whole units, so that no sequence of operations ever rounds.
///
/// Every operation is relaxed: the word publishes nothing but itself, and read-modify-write
/// operations on one word are never lost whatever their ordering.
#[derive(Debug)]
pub(crate) struct TokenBucket {
    /// Units below full, and `rest` more; from `rest` to `capacity + rest`.
    deficit: AtomicU64,
    /// Units of a full bucket.
    capacity: u64,
    /// Units of one retry.
    retry: u64,
    /// Units that an answered call earns.
    earned: u64,
    /// 1 if the bucket is never to look full, because somebody wants to see every success; else 0.
    rest: u64,
}

impl TokenBucket {
    /// A bucket around `deficit`, which is 0 for a full one.
    pub(crate) const fn new(deficit: AtomicU64, capacity: u64, retry: u64, earned: u64) -> Self {
        Self { deficit, capacity, retry, earned, rest: 0 }
    }

    /// A full bucket that never looks full, around `deficit`, which is 1. A success then always takes
    /// the way of one that earns, and whoever wants to see it stands there.
    pub(crate) const fn set_attentive(&mut self, deficit: AtomicU64) {
        self.deficit = deficit;
        self.rest = 1;
    }

    /// A full one with the same settings.
    pub(crate) fn fresh_copy(&self) -> Self {
        let (capacity, retry, earned) = (self.capacity, self.retry, self.earned);
        Self { deficit: AtomicU64::new(self.rest), capacity, retry, earned, rest: self.rest }
    }

    pub(crate) const fn set_capacity(&mut self, units: u64) {
        self.capacity = units;
    }

    pub(crate) const fn set_earned(&mut self, units: u64) {
        self.earned = units;
    }

    pub(crate) const fn capacity(&self) -> u64 {
        self.capacity
    }

    pub(crate) const fn retry(&self) -> u64 {
        self.retry
    }

    pub(crate) const fn earned(&self) -> u64 {
        self.earned
    }

    /// Units that are left.
    pub(crate) fn available(&self) -> u64 {
        self.full().saturating_sub(self.deficit.load(Ordering::Relaxed))
    }

    /// The word of an empty bucket.
    const fn full(&self) -> u64 {
        self.capacity.saturating_add(self.rest)
    }

    /// Whether a deposit would change anything.
    #[inline]
    pub(crate) fn is_below_full(&self) -> bool {
        self.deficit.load(Ordering::Relaxed) != 0
    }

    /// Adds what one answered call earns; one load where the bucket is full.
    #[inline]
    pub(crate) fn deposit(&self) {
        if self.is_below_full() {
            self.earn();
        }
    }

    /// [`deposit`](Self::deposit) into a bucket that was below full just now.
    pub(crate) fn earn(&self) {
        self.refill(self.earned);
    }

    /// Takes this many units, or nothing.
    pub(crate) fn take(&self, amount: u64) -> bool {
        let mut deficit = self.deficit.load(Ordering::Relaxed);
        loop {
            let Some(deeper) = deficit.checked_add(amount).filter(|sum| *sum <= self.full()) else {
                return false;
            };
            match self.deficit.compare_exchange_weak(
                deficit,
                deeper,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return true,
                Err(seen) => deficit = seen,
            }
        }
    }

    /// Takes this many units, or what there is.
    pub(crate) fn take_up_to(&self, amount: u64) {
        let mut deficit = self.deficit.load(Ordering::Relaxed);
        while deficit < self.full() {
            match self.deficit.compare_exchange_weak(
                deficit,
                deficit.saturating_add(amount).min(self.full()),
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return,
                Err(seen) => deficit = seen,
            }
        }
    }

    /// Adds this many units, at most up to full.
    pub(crate) fn refill(&self, amount: u64) {
        if amount == 0 {
            return;
        }
        let mut deficit = self.deficit.load(Ordering::Relaxed);
        while deficit > self.rest {
            match self.deficit.compare_exchange_weak(
                deficit,
                deficit.saturating_sub(amount).max(self.rest),
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return,
                Err(seen) => deficit = seen,
            }
        }
    }
}
