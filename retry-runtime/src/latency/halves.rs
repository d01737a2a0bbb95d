//! Counters that forget: two sets that take turns.
//!
//! This file names its atomics through `super::sync`, so that the model checker can compile the
//! very same code over its own.

use super::sync::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};

/// How long a half is written to, in nanoseconds. Together the halves know the last 30 to 60 seconds.
const TURN: u64 = 30_000_000_000;

/// One set of counters.
#[derive(Debug)]
pub(crate) struct Half<const N: usize> {
    /// When its turn began, in nanoseconds and one more; 0 while nothing that it holds counts.
    pub(crate) began: AtomicU64,
    pub(crate) recorded: AtomicU32,
    pub(crate) counters: [AtomicU32; N],
}

/// Two sets of `N` counters. One is written to, for half a minute or until `FULL` were counted; then the
/// other one is emptied and its turn begins. Both are read.
///
/// # Why no lock is needed
///
/// - Whoever finds that a turn is over tries to take `turning`, and goes on with the old half if somebody
///   else has it: nobody waits. Under it the turn is looked at again, so that two who find the same turn
///   over make one step of it.
/// - A half is emptied before it is announced by the release store to `turn`, and whoever has read that
///   (acquire) counts after it was emptied: nothing that is counted in the new turn gets lost.
/// - The half that was written to before stays as it is. So only a thread that stands still between
///   reading `turn` and counting while the turn goes over twice can count into a half that is being
///   emptied, or that is not its own any more: one count is lost, or half a minute off, and none is made up.
/// - A reader looks at `began` before and after, as in a sequence lock, and leaves a half out that was
///   emptied meanwhile.
#[derive(Debug)]
pub(crate) struct Halves<const N: usize, const FULL: u32> {
    both: [Half<N>; 2],
    /// How often the turn went over; the lowest bit says whose it is.
    turn: AtomicU32,
    turning: AtomicBool,
}

impl<const N: usize, const FULL: u32> Halves<N, FULL> {
    /// Nothing counted, around words that are zero.
    pub(crate) const fn around(both: [Half<N>; 2], turn: AtomicU32, turning: AtomicBool) -> Self {
        Self { both, turn, turning }
    }

    /// Counts one, at `now` in nanoseconds.
    pub(crate) fn count(&self, counter: usize, now: u64) {
        let half = self.half(self.turn_at(now));
        half.counters[counter].fetch_add(1, Ordering::Relaxed);
        half.recorded.fetch_add(1, Ordering::Relaxed);
    }

    /// What was counted lately.
    pub(crate) fn counts(&self, now: u64) -> [u64; N] {
        let mut all = [0; N];
        for half in &self.both {
            if let Some(counts) = half.counts(now) {
                for (sum, count) in all.iter_mut().zip(counts) {
                    *sum += u64::from(count);
                }
            }
        }
        all
    }

    const fn half(&self, turn: u32) -> &Half<N> {
        &self.both[(turn & 1) as usize]
    }

    /// Whose turn it is at `now`.
    fn turn_at(&self, now: u64) -> u32 {
        let turn = self.turn.load(Ordering::Acquire);
        let half = self.half(turn);
        let fresh = half.age(now).is_some_and(|age| age < TURN);
        if fresh && half.recorded.load(Ordering::Relaxed) < FULL {
            turn
        } else {
            self.turn_over(turn, now)
        }
    }

    #[cold]
    fn turn_over(&self, turn: u32, now: u64) -> u32 {
        if self.turning.swap(true, Ordering::Acquire) {
            return turn;
        }
        let mut current = self.turn.load(Ordering::Relaxed);
        if current == turn {
            current = turn.wrapping_add(1);
            self.half(current).begin(now);
            self.turn.store(current, Ordering::Release);
        }
        self.turning.store(false, Ordering::Release);
        current
    }
}

impl<const N: usize> Half<N> {
    /// How long ago its turn began.
    fn age(&self, now: u64) -> Option<u64> {
        age(self.began.load(Ordering::Relaxed), now)
    }

    /// Empties it.
    fn begin(&self, now: u64) {
        self.began.store(0, Ordering::Relaxed);
        fence(Ordering::Release);
        for counter in &self.counters {
            // Not a store: between two additions the model checker knows the place of a swap alone.
            counter.swap(0, Ordering::Relaxed);
        }
        self.recorded.store(0, Ordering::Relaxed);
        self.began.store(now.saturating_add(1), Ordering::Release);
    }

    /// What it holds, unless that is too old or being emptied.
    fn counts(&self, now: u64) -> Option<[u32; N]> {
        let began = self.began.load(Ordering::Acquire);
        if age(began, now)? >= 2 * TURN {
            return None;
        }
        let mut counts = [0; N];
        for (count, counter) in counts.iter_mut().zip(&self.counters) {
            *count = counter.load(Ordering::Relaxed);
        }
        fence(Ordering::Acquire);
        (self.began.load(Ordering::Relaxed) == began).then_some(counts)
    }
}

/// Clocks that were read by different threads may be a little apart, so `now` may lie before.
const fn age(began: u64, now: u64) -> Option<u64> {
    match began.checked_sub(1) {
        Some(began) => Some(now.saturating_sub(began)),
        None => None,
    }
}
