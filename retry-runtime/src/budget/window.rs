//! Retries as a share of the attempts of the recent past.

use std::sync::OnceLock;
use std::time::Duration;

use super::sync::{AtomicU32, AtomicU64, Ordering};
use crate::Moment;
use crate::ring::{Ring, SLOTS, Totals};
use crate::slots::SlotClock;
use crate::time::{duration, nanos};

/// Units of the whole, in which shares are held: exact for up to nine decimals.
pub(super) const WHOLE: u64 = 1_000_000_000;
/// Deposits expire in tenths of their time.
const EXPIRING_SLOTS: u64 = 10;

/// Counts are allocated with the first attempt, so that budgets of other kinds stay small.
#[derive(Debug)]
pub(super) struct Window {
    share: AtomicU64,
    min_samples: AtomicU32,
    /// Retries beside the share, for each second of the window.
    per_second: AtomicU32,
    clock: SlotClock,
    /// In how many steps the window moves on.
    slots: u64,
    ring: OnceLock<Ring>,
}

impl Window {
    pub(super) const fn new(share: u64, length: Duration, min_samples: u32) -> Self {
        Self::assemble(share, nanos(length), min_samples, 0, SLOTS)
    }

    /// One in which deposits and retries expire after `length`, and each whole second of it brings so many
    /// retries beside those that are deposited.
    pub(super) const fn of_deposits(share: u64, length: Duration, per_second: u32) -> Self {
        Self::assemble(share, nanos(length), 0, per_second, EXPIRING_SLOTS)
    }

    const fn assemble(
        share: u64,
        length: u64,
        min_samples: u32,
        per_second: u32,
        slots: u64,
    ) -> Self {
        Self {
            share: AtomicU64::new(share),
            min_samples: AtomicU32::new(min_samples),
            per_second: AtomicU32::new(per_second),
            clock: SlotClock::new(
                AtomicU64::new(length),
                AtomicU32::new(0),
                AtomicU64::new(0),
                AtomicU64::new(0),
            ),
            slots,
            ring: OnceLock::new(),
        }
    }

    /// The same settings, with nothing counted.
    pub(super) fn fresh_copy(&self) -> Self {
        let length = self.clock.length();
        Self::assemble(self.share(), length, self.min_samples(), self.per_second(), self.slots)
    }

    /// Whether deposits expire in it; else it holds attempts.
    pub(super) const fn is_of_deposits(&self) -> bool {
        self.slots == EXPIRING_SLOTS
    }

    pub(super) const fn set_reserve(&mut self, per_second: u32) {
        self.per_second = AtomicU32::new(per_second);
    }

    pub(super) fn per_second(&self) -> u32 {
        self.per_second.load(Ordering::Relaxed)
    }

    pub(super) fn change_reserve(&self, per_second: u32) {
        self.per_second.store(per_second, Ordering::Relaxed);
    }

    /// Retries that need no deposit.
    fn reserve(&self) -> u64 {
        match self.per_second() {
            0 => 0,
            each => u64::from(each).saturating_mul(self.length().as_secs()),
        }
    }

    pub(super) const fn set_share(&mut self, share: u64) {
        self.share = AtomicU64::new(share);
    }

    pub(super) const fn set_length(&mut self, length: Duration) {
        self.clock.set_length(AtomicU64::new(nanos(length)));
    }

    pub(super) const fn set_min_samples(&mut self, attempts: u32) {
        self.min_samples = AtomicU32::new(attempts);
    }

    pub(super) fn change_share(&self, share: u64) {
        self.share.store(share, Ordering::Relaxed);
    }

    /// A window of another length starts empty. Callers take turns.
    pub(super) fn change_length(&self, length: Duration, now: Moment) {
        let newest = self.ring.get().map_or(0, Ring::newest);
        self.clock.change(nanos(length), self.slots, now.as_nanos(), newest);
    }

    pub(super) fn change_min_samples(&self, attempts: u32) {
        self.min_samples.store(attempts, Ordering::Relaxed);
    }

    pub(super) fn share(&self) -> u64 {
        self.share.load(Ordering::Relaxed)
    }

    pub(super) fn length(&self) -> Duration {
        duration(self.clock.length())
    }

    pub(super) fn min_samples(&self) -> u32 {
        self.min_samples.load(Ordering::Relaxed)
    }

    pub(super) fn record(&self, now: Moment) {
        self.ring().record(self.slot(now));
    }

    pub(super) fn withdraw(&self, cost: u32, now: Moment) -> Option<u64> {
        self.ring().reserve(self.slot(now), cost, |window| window.marked <= self.allowance(window))
    }

    /// Returns what a withdrawal took from the slot that `find` knows by the newest one.
    pub(super) fn give_back(&self, cost: u64, find: impl FnOnce(u64) -> u64) {
        if let Some(ring) = self.ring.get() {
            ring.release(find(ring.newest()), cost);
        }
    }

    /// Retries that the window would still grant: at `now`, or when it was last used.
    pub(super) fn left(&self, now: Option<Moment>) -> u64 {
        let window = self.totals(now);
        self.allowance(window).saturating_sub(window.marked)
    }

    /// Retries that the window may hold at `now`, those that it has granted included.
    pub(super) fn most(&self, now: Moment) -> u64 {
        self.allowance(self.totals(Some(now)))
    }

    /// The first moment from `now` on at which what the window holds by then leaves room for a retry, if
    /// nothing happens until then; `None` if that brings none.
    pub(super) fn frees_at(&self, now: Moment) -> Option<Moment> {
        let mut moment = now;
        // What it holds leaves it step by step, retries and attempts alike.
        for _ in 0..=self.slots {
            if self.left(Some(moment)) > 0 {
                return Some(moment);
            }
            moment = Moment::from_nanos(self.clock.next_slot(moment.as_nanos(), self.slots));
        }
        None
    }

    fn totals(&self, now: Option<Moment>) -> Totals {
        self.ring.get().map_or(Totals::NONE, |ring| {
            ring.totals(now.map_or(0, |now| self.slot(now)).max(ring.newest()))
        })
    }

    /// How many retries a window with these attempts may hold. The exemption covers fewer retries
    /// than `min_samples`, whatever they cost and however late their attempts are counted.
    fn allowance(&self, window: Totals) -> u64 {
        // At most 60 · 2^24 attempts, and shares up to a thousand wholes.
        let earned = u128::from(window.samples) * u128::from(self.share()) / u128::from(WHOLE);
        let earned = u64::try_from(earned).unwrap_or(u64::MAX).saturating_add(self.reserve());
        let min_samples = u64::from(self.min_samples());
        if window.samples < min_samples { earned.max(min_samples - 1) } else { earned }
    }

    fn ring(&self) -> &Ring {
        #[expect(clippy::cast_possible_truncation, reason = "a small constant")]
        self.ring.get_or_init(|| Ring::new(self.slots as usize))
    }

    fn slot(&self, now: Moment) -> u64 {
        self.clock.slot(now.as_nanos(), self.slots)
    }
}
