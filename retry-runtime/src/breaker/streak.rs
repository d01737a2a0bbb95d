//! Failures in a row.
//!
//! This file names its atomics through `super::sync`, so that the model checker can compile the very same
//! code over its own.

use super::ring::Ring;
use super::sync::{AtomicU64, Ordering};

const COUNT_BITS: u32 = 32;
const MOST: u64 = (1 << COUNT_BITS) - 1;

/// How many failures there were without a success between them, in one generation of the breaker.
///
/// The generation's tag stands beside the count, in the same word: a result of an earlier generation can
/// neither lengthen nor end what a later one counts.
#[derive(Debug)]
pub(crate) struct Streak(AtomicU64);

impl Streak {
    /// Of length 0, around a new atomic.
    pub(crate) const fn new(word: AtomicU64) -> Self {
        Self(word)
    }

    /// Whether a success of this generation changes nothing; one load.
    #[inline]
    pub(crate) fn is_quiet(&self, tag: u32) -> bool {
        length(self.0.load(Ordering::Relaxed), tag) == 0
    }

    /// A success ends it.
    pub(crate) fn end(&self, tag: u32) {
        let mut seen = self.0.load(Ordering::Relaxed);
        while length(seen, tag) != 0 {
            // Whether the length became 0 after a failure or before it is all that can differ, and either
            // is an order in which the two may have ended.
            match self.0.compare_exchange_weak(
                seen,
                pack(tag, 0),
                Ordering::AcqRel,
                Ordering::Relaxed,
            ) {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        }
    }

    /// A failure lengthens it: how many in a row there are by now that are in the window, which has
    /// them marked.
    ///
    /// The smaller of the length and the failures in the window is that number: the failures in a row
    /// are the latest, and so are those in the window. Failures are in the window before they lengthen
    /// the streak, so the one that makes it long enough sees all of them there.
    pub(crate) fn extend(&self, tag: u32, ring: &Ring, slot: u64) -> u64 {
        ring.sample(slot, true);
        let mut seen = self.0.load(Ordering::Relaxed);
        let length = loop {
            if is_later(seen, tag) {
                return 0;
            }
            let longer = (length(seen, tag) + 1).min(MOST);
            match self.0.compare_exchange_weak(
                seen,
                pack(tag, longer),
                Ordering::AcqRel,
                Ordering::Relaxed,
            ) {
                Ok(_) => break longer,
                Err(now) => seen = now,
            }
        };
        length.min(marked(ring, slot))
    }

    /// How many in a row there are that are in the window.
    pub(crate) fn recent(&self, tag: u32, ring: &Ring, slot: u64) -> u64 {
        length(self.0.load(Ordering::Acquire), tag).min(marked(ring, slot))
    }
}

fn marked(ring: &Ring, slot: u64) -> u64 {
    ring.totals(slot.max(ring.newest())).marked
}

const fn pack(tag: u32, length: u64) -> u64 {
    ((tag as u64) << COUNT_BITS) | length
}

/// What the word counts for this generation.
#[inline]
const fn length(word: u64, tag: u32) -> u64 {
    if word >> COUNT_BITS == tag as u64 { word & MOST } else { 0 }
}

/// Whether the word is about a generation after this one. Tags come round again, so the shorter way
/// counts.
const fn is_later(word: u64, tag: u32) -> bool {
    let ahead = ((word >> COUNT_BITS) as u32).wrapping_sub(tag);
    ahead != 0 && ahead < u32::MAX / 2
}
