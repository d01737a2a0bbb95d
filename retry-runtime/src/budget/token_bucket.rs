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
/// The deficit publishes nothing but itself, and read-modify-write operations on one word are never
/// lost whatever their ordering. What the bucket can hold may change meanwhile, and then the order
/// matters: see [`change_capacity`](Self::change_capacity).
#[derive(Debug)]
pub(crate) struct TokenBucket {
    /// Units below full, and `rest` more; from `rest` to `capacity + rest`.
    deficit: AtomicU64,
    /// Units of a full bucket.
    capacity: AtomicU64,
    /// Units of one retry.
    retry: u64,
    /// Units that an answered call earns.
    earned: AtomicU64,
    /// 1 if the bucket is never to look full, because somebody wants to see every success; else 0.
    rest: u64,
}

impl TokenBucket {
    /// A bucket around `deficit`, which is 0 for a full one, and two words of its numbers.
    pub(crate) const fn new(
        deficit: AtomicU64,
        capacity: AtomicU64,
        retry: u64,
        earned: AtomicU64,
    ) -> Self {
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
        Self {
            deficit: AtomicU64::new(self.rest),
            capacity: AtomicU64::new(self.capacity()),
            retry: self.retry,
            earned: AtomicU64::new(self.earned()),
            rest: self.rest,
        }
    }

    /// The word that was there before.
    pub(crate) const fn replace_capacity(&mut self, units: AtomicU64) -> AtomicU64 {
        std::mem::replace(&mut self.capacity, units)
    }

    pub(crate) const fn set_earned(&mut self, units: AtomicU64) {
        self.earned = units;
    }

    pub(crate) fn capacity(&self) -> u64 {
        self.capacity.load(Ordering::Relaxed)
    }

    pub(crate) const fn retry(&self) -> u64 {
        self.retry
    }

    pub(crate) fn earned(&self) -> u64 {
        self.earned.load(Ordering::Relaxed)
    }

    /// From here on an answered call earns this many units.
    pub(crate) fn change_earned(&self, units: u64) {
        self.earned.store(units, Ordering::Relaxed);
    }

    /// From here on a full bucket holds this many units. One that is full stays full; any other keeps
    /// what it holds, as far as there is room. Callers take turns.
    ///
    /// Who takes looks at the capacity once more after it has changed the deficit. Of the two changes to
    /// the deficit, its own and the one here, one comes first. If that is the one here, the other has seen
    /// it and with it the new capacity; else the one here has seen what was taken. So no deficit is left
    /// that is deeper than the bucket.
    pub(crate) fn change_capacity(&self, units: u64) {
        let before = self.capacity();
        if units >= before {
            // First the deficit, so that nobody takes what is new and was not there.
            let more = units - before;
            let rest = self.rest;
            self.adjust(|deficit| if deficit > rest { deficit.saturating_add(more) } else { rest });
            self.capacity.store(units, Ordering::Relaxed);
        } else {
            self.capacity.store(units, Ordering::Relaxed);
            self.adjust(|deficit| deficit.saturating_sub(before - units).max(self.rest));
        }
    }

    /// Writes in any case, so that every other change comes before it or after it.
    fn adjust(&self, change: impl Fn(u64) -> u64) {
        let mut deficit = self.deficit.load(Ordering::Relaxed);
        while let Err(seen) = self.deficit.compare_exchange_weak(
            deficit,
            change(deficit),
            Ordering::AcqRel,
            Ordering::Relaxed,
        ) {
            deficit = seen;
        }
    }

    /// Units that are left.
    pub(crate) fn available(&self) -> u64 {
        self.full().saturating_sub(self.deficit.load(Ordering::Relaxed))
    }

    /// The word of an empty bucket.
    fn full(&self) -> u64 {
        self.capacity().saturating_add(self.rest)
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
        self.refill(self.earned());
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
                Ordering::AcqRel,
                Ordering::Relaxed,
            ) {
                Ok(_) if deeper > self.full() => {
                    self.refill(amount);
                    return false;
                }
                Ok(_) => return true,
                Err(seen) => deficit = seen,
            }
        }
    }

    /// Takes this many units, or what there is.
    pub(crate) fn take_up_to(&self, amount: u64) {
        let mut deficit = self.deficit.load(Ordering::Relaxed);
        loop {
            let full = self.full();
            if deficit >= full {
                return;
            }
            let deeper = deficit.saturating_add(amount).min(full);
            match self.deficit.compare_exchange_weak(
                deficit,
                deeper,
                Ordering::AcqRel,
                Ordering::Relaxed,
            ) {
                Ok(_) => {
                    self.refill(deeper.saturating_sub(self.full()));
                    return;
                }
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
