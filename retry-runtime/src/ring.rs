//! Samples of the recent past, some of them marked, counted per slot of time, without a lock: the
//! attempts of a budget and its retries, the calls of a breaker and its failures.
//!
//! Slots are numbered from the clock's origin; slot `s` lives in word `s mod n` together with its
//! lap `s div n`, so that a word whose lap is not the expected one has nothing to say about the
//! window. This file names its atomics through `super::sync`, so that the model checker can compile
//! the very same code over its own.

use super::sync::{AtomicU64, Ordering, fence};

// 24 bits of samples and 20 of marks allow 16 million samples a slot. The lap's 20 bits wrap
// after a million windows, two years for one of a minute: a word that nothing touched for exactly
// that long counts once more, for one window.
const MARKED_BITS: u32 = 20;
const SAMPLE_BITS: u32 = 24;
const MOST_MARKED: u64 = (1 << MARKED_BITS) - 1;
const MOST_SAMPLES: u64 = (1 << SAMPLE_BITS) - 1;
const LAP_MASK: u64 = (1 << (64 - MARKED_BITS - SAMPLE_BITS)) - 1;

/// What a window holds, or one slot of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) samples: u64,
    pub(crate) marked: u64,
}

impl Totals {
    pub(crate) const NONE: Self = Self { samples: 0, marked: 0 };
}

/// A window moves on by a sixtieth of its length: a second for the usual minute.
pub(crate) const SLOTS: u64 = 60;

/// The slot that a moment lies in, both in nanoseconds, for a window of this length.
pub(crate) const fn slot_at(now: u64, length: u64) -> u64 {
    let slot = length.div_ceil(SLOTS);
    now / if slot == 0 { 1 } else { slot }
}

#[derive(Clone, Copy)]
struct Slot {
    lap: u64,
    counts: Totals,
}

impl Slot {
    const fn unpack(word: u64) -> Self {
        let samples = (word >> MARKED_BITS) & MOST_SAMPLES;
        let counts = Totals { samples, marked: word & MOST_MARKED };
        Self { lap: word >> (MARKED_BITS + SAMPLE_BITS), counts }
    }

    const fn pack(self) -> u64 {
        (self.lap << (MARKED_BITS + SAMPLE_BITS))
            | (self.counts.samples << MARKED_BITS)
            | self.counts.marked
    }
}

#[derive(Debug)]
pub(crate) struct Ring {
    words: Box<[AtomicU64]>,
    /// The latest slot that any caller has seen. Time never runs backwards past it: a caller whose
    /// clock lags (another runtime's paused one) counts in this slot, so that no clock can bring
    /// back a window that was used up, nor reset a word that is still needed.
    newest: AtomicU64,
}

impl Ring {
    /// A ring of `slots` slots; at least one.
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            words: (0..slots.max(1)).map(|_| AtomicU64::new(0)).collect(),
            newest: AtomicU64::new(0),
        }
    }

    /// The latest slot seen.
    pub(crate) fn newest(&self) -> u64 {
        self.newest.load(Ordering::Acquire)
    }

    /// A ring for the slots of [`slot_at`].
    pub(crate) fn of_a_window() -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "a small constant")]
        Self::new(SLOTS as usize)
    }

    /// Counts one sample, marked or not. In a full slot half of both counts is forgotten, so that the
    /// share stays what it is and can still move.
    pub(crate) fn sample(&self, slot: u64, marked: bool) {
        self.update(slot, |mut counts| {
            if counts.samples == MOST_SAMPLES || counts.marked == MOST_MARKED {
                counts = Totals { samples: counts.samples / 2, marked: counts.marked / 2 };
            }
            Totals { samples: counts.samples + 1, marked: counts.marked + u64::from(marked) }
        });
    }

    /// Counts one attempt. A full slot stays full, which only makes the ratio stricter.
    pub(crate) fn record(&self, slot: u64) {
        self.update(slot, |counts| Totals {
            samples: (counts.samples + 1).min(MOST_SAMPLES),
            ..counts
        });
    }

    /// Reserves `cost` retries if the window that then results is `allowed`; returns the slot that
    /// holds them.
    ///
    /// Reserve first, then look, and undo if it was too much. Two callers that race for the last
    /// retry may therefore both be refused, but never both be granted:
    ///
    /// - Each caller adds to a slot, passes a sequentially consistent fence, and only then reads the
    ///   window and after it `newest`. Take any two callers, and call the one whose fence is first
    ///   in the order of fences the earlier one. The later one's reads are bound to see everything
    ///   that the earlier one wrote before its fence.
    /// - So the later one sees the earlier one's retries, if they are in its window; they were
    ///   added before the fence.
    /// - A window that ends before the earlier one's slot would miss them. But the earlier one moved
    ///   `newest` to its slot before it added there, so the later one sees a `newest` that is not
    ///   its own slot, undoes, and starts again from there.
    /// - A word that is taken over for a later slot while the later one adds up would go missing.
    ///   Whoever takes it over moves `newest` first, and the later one reads `newest` last: it
    ///   undoes and starts again.
    /// - Hence of all retries granted within a window, the one whose fence came last was granted on
    ///   totals that held all the others.
    ///
    /// Attempts that are missed make the totals smaller, which can only refuse. A caller starts
    /// again only when the clock has moved a slot meanwhile, so nobody spins.
    pub(crate) fn reserve(
        &self,
        slot: u64,
        cost: u32,
        allowed: impl Fn(Totals) -> bool,
    ) -> Option<u64> {
        let cost = u64::from(cost);
        let mut slot = slot.max(self.newest());
        loop {
            // While a storm is being refused, nobody writes.
            let before = self.totals(slot);
            if !allowed(Totals { marked: before.marked + cost, ..before }) {
                return None;
            }
            slot = self.try_update(slot, |counts| {
                let marked = counts.marked + cost;
                (marked <= MOST_MARKED).then_some(Totals { marked, ..counts })
            })?;
            fence(Ordering::SeqCst);
            let after = self.totals(slot);
            let newest = self.newest();
            if newest == slot && allowed(after) {
                return Some(slot);
            }
            self.release(slot, cost);
            if newest == slot {
                return None;
            }
            slot = newest;
        }
    }

    /// Takes `cost` retries out of `slot` again, unless the window has moved past it.
    pub(crate) fn release(&self, slot: u64, cost: u64) {
        let word = self.word(slot);
        let mut seen = word.load(Ordering::Acquire);
        while self.newest().saturating_sub(slot) < self.length() {
            let mut current = Slot::unpack(seen);
            if current.lap != self.lap(slot) {
                return;
            }
            current.counts.marked = current.counts.marked.saturating_sub(cost);
            match word.compare_exchange_weak(
                seen,
                current.pack(),
                Ordering::AcqRel,
                Ordering::Acquire,
            ) {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        }
    }

    /// What the window that ends with `last` holds.
    pub(crate) fn totals(&self, last: u64) -> Totals {
        let mut sum = Totals::NONE;
        for slot in last.saturating_sub(self.length() - 1)..=last {
            let held = Slot::unpack(self.word(slot).load(Ordering::Acquire));
            if held.lap == self.lap(slot) {
                sum.samples += held.counts.samples;
                sum.marked += held.counts.marked;
            }
        }
        sum
    }

    fn update(&self, slot: u64, change: impl Fn(Totals) -> Totals) {
        self.try_update(slot, |counts| Some(change(counts)));
    }

    fn try_update(&self, slot: u64, change: impl Fn(Totals) -> Option<Totals>) -> Option<u64> {
        let mut slot = self.advance(slot);
        loop {
            let word = self.word(slot);
            let seen = word.load(Ordering::Acquire);
            let mut current = Slot::unpack(seen);
            if current.lap != self.lap(slot) {
                // Whoever wrote a later lap here had moved `newest` first, and the acquire above
                // makes that visible. If `newest` has not moved, the lap is an old one.
                let newest = self.newest();
                if newest > slot {
                    slot = newest;
                    continue;
                }
                current = Slot { lap: self.lap(slot), counts: Totals::NONE };
            }
            current.counts = change(current.counts)?;
            if word
                .compare_exchange_weak(seen, current.pack(), Ordering::AcqRel, Ordering::Relaxed)
                .is_ok()
            {
                return Some(slot);
            }
        }
    }

    fn advance(&self, slot: u64) -> u64 {
        let newest = self.newest();
        if slot <= newest {
            return newest;
        }
        self.newest.fetch_max(slot, Ordering::AcqRel).max(slot)
    }

    fn length(&self) -> u64 {
        self.words.len() as u64
    }

    fn lap(&self, slot: u64) -> u64 {
        (slot / self.length()) & LAP_MASK
    }

    fn word(&self, slot: u64) -> &AtomicU64 {
        #[expect(clippy::cast_possible_truncation, reason = "below the number of words")]
        let index = (slot % self.length()) as usize;
        &self.words[index]
    }
}
