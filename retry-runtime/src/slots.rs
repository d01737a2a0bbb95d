//! Which slot of a window a moment lies in, where the window's length can change.
//!
//! This file names its atomics through `super::sync`, so that the model checker can compile the very
//! same code over its own.

use super::sync::{AtomicU32, AtomicU64, Ordering, fence};

/// The length of a window, and how its slots are numbered by it.
///
/// The number only ever grows, also when the length changes: a ring takes the largest that it has seen
/// for the present. So the three words below are read as one or not at all where a slot is asked for. When
/// the next one begins is only shown, and may be off while the length is being changed.
#[derive(Debug)]
pub(crate) struct SlotClock {
    /// Odd while the others are being changed.
    version: AtomicU32,
    /// In nanoseconds.
    length: AtomicU64,
    /// The first slot of this length, and when it began.
    first: AtomicU64,
    began: AtomicU64,
}

impl SlotClock {
    /// Of a window of the length that one word holds, around three others that are 0.
    pub(crate) const fn new(
        length: AtomicU64,
        version: AtomicU32,
        first: AtomicU64,
        began: AtomicU64,
    ) -> Self {
        Self { version, length, first, began }
    }

    pub(crate) const fn set_length(&mut self, length: AtomicU64) {
        self.length = length;
    }

    /// In nanoseconds.
    pub(crate) fn length(&self) -> u64 {
        self.length.load(Ordering::Relaxed)
    }

    /// The slot of this moment in a window of so many slots; 0 while the length is being changed, which a
    /// ring takes for the newest.
    #[inline]
    pub(crate) fn slot(&self, now: u64, slots: u64) -> u64 {
        let version = self.version.load(Ordering::Acquire);
        let (length, first, began) = (
            self.length.load(Ordering::Relaxed),
            self.first.load(Ordering::Relaxed),
            self.began.load(Ordering::Relaxed),
        );
        fence(Ordering::Acquire);
        if version % 2 != 0 || self.version.load(Ordering::Relaxed) != version {
            return 0;
        }
        first.saturating_add(passed(now.saturating_sub(began), length, slots))
    }

    /// When the slot after that of this moment begins.
    pub(crate) fn next_slot(&self, now: u64, slots: u64) -> u64 {
        let step = step(self.length(), slots);
        let into = now.saturating_sub(self.began.load(Ordering::Relaxed)) % step;
        now.saturating_add(step - into)
    }

    /// From here on the window has this length, in nanoseconds, and starts empty: its slots come after all
    /// that are in use, of which `newest` is the latest. Callers take turns.
    pub(crate) fn change(&self, length: u64, slots: u64, now: u64, newest: u64) {
        if length == self.length() {
            return;
        }
        // Those who read the clock before, and count after, are not ahead of it by a window.
        let first = self.slot(now, slots).max(newest).saturating_add(slots).saturating_add(1);
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version.wrapping_add(1), Ordering::Relaxed);
        fence(Ordering::Release);
        self.length.store(length, Ordering::Relaxed);
        self.first.store(first, Ordering::Relaxed);
        self.began.store(now, Ordering::Relaxed);
        self.version.store(version.wrapping_add(2), Ordering::Release);
    }
}

/// How many slots a time is.
#[inline]
fn passed(time: u64, length: u64, slots: u64) -> u64 {
    time / step(length, slots)
}

/// How long a slot is.
#[inline]
fn step(length: u64, slots: u64) -> u64 {
    length.div_ceil(slots).max(1)
}

#[cfg(all(test, not(stormless_loom)))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn clock(length: u64) -> SlotClock {
        let zero = || AtomicU64::new(0);
        SlotClock::new(AtomicU64::new(length), AtomicU32::new(0), zero(), zero())
    }

    #[test]
    fn a_slot_is_its_share_of_the_length_rounded_up() {
        for (length, slots, now, slot) in [
            (600, 60, 99, 9),
            (601, 60, 99, 9),
            (601, 60, 110, 10),
            (5, 60, 7, 7),
            (u64::MAX, 60, u64::MAX, 59),
        ] {
            assert_eq!(clock(length).slot(now, slots), slot, "{length} {slots} {now}");
        }
    }

    #[test]
    fn a_clock_that_lags_behind_a_change_counts_in_the_first_slot_after_it() {
        let clock = clock(60_000);
        clock.change(60, 60, 1_000_000, 0);
        let first = clock.slot(1_000_000, 60);
        assert_eq!(clock.slot(0, 60), first);
        assert_eq!(clock.slot(1_000_007, 60), first + 7);
    }

    proptest! {
        #[cfg_attr(miri, ignore = "arithmetic over very many values")]
        #[test]
        fn slots_only_grow_and_a_new_length_starts_a_window_later(
            steps in prop::collection::vec((1..u64::MAX, 0..1_000_000_000_000_u64), 1..30),
        ) {
            let clock = clock(60_000_000_000);
            let (mut now, mut newest) = (0_u64, 0);
            for (length, time) in steps {
                now = now.saturating_add(time);
                let before = clock.slot(now, 60).max(newest);
                let changes = length != clock.length();
                clock.change(length, 60, now, before);
                let after = clock.slot(now, 60);
                prop_assert!(!changes || after > before.saturating_add(60));
                let later = clock.slot(now.saturating_add(length.div_ceil(60)), 60);
                prop_assert!(later == after + 1 || now.saturating_add(length) == u64::MAX);
                newest = later;
            }
        }
    }
}
