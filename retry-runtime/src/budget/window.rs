//! Retries as a share of the attempts of the recent past.

use std::sync::OnceLock;
use std::time::Duration;

use crate::Moment;
use crate::ring::{Ring, SLOTS, Totals};
use crate::time::nanos;

/// Units of the whole, in which shares are held: exact for up to nine decimals.
pub(super) const WHOLE: u64 = 1_000_000_000;
/// Deposits expire in tenths of their time.
const EXPIRING_SLOTS: u64 = 10;

/// Counts are allocated with the first attempt, so that budgets of other kinds stay small.
#[derive(Debug)]
pub(super) struct Window {
    share: u64,
    length: Duration,
    min_samples: u32,
    /// Retries beside the share, for each second of the window.
    per_second: u32,
    /// In how many steps the window moves on.
    slots: u64,
    ring: OnceLock<Ring>,
}

impl Window {
    pub(super) const fn new(share: u64, length: Duration, min_samples: u32) -> Self {
        Self { share, length, min_samples, per_second: 0, slots: SLOTS, ring: OnceLock::new() }
    }

    /// One in which deposits and retries expire after `length`, and each whole second of it brings so many
    /// retries beside those that are deposited.
    pub(super) const fn of_deposits(share: u64, length: Duration, per_second: u32) -> Self {
        let slots = EXPIRING_SLOTS;
        Self { share, length, min_samples: 0, per_second, slots, ring: OnceLock::new() }
    }

    /// The same settings, with nothing counted.
    pub(super) const fn fresh_copy(&self) -> Self {
        Self { ring: OnceLock::new(), ..*self }
    }

    /// Whether deposits expire in it; else it holds attempts.
    pub(super) const fn is_of_deposits(&self) -> bool {
        self.slots == EXPIRING_SLOTS
    }

    pub(super) const fn set_reserve(&mut self, per_second: u32) {
        self.per_second = per_second;
    }

    pub(super) const fn per_second(&self) -> u32 {
        self.per_second
    }

    /// Retries that need no deposit.
    pub(super) const fn reserve(&self) -> u64 {
        (self.per_second as u64).saturating_mul(self.length.as_secs())
    }

    pub(super) const fn set_share(&mut self, share: u64) {
        self.share = share;
    }

    pub(super) const fn set_length(&mut self, length: Duration) {
        self.length = length;
    }

    pub(super) const fn set_min_samples(&mut self, attempts: u32) {
        self.min_samples = attempts;
    }

    pub(super) const fn share(&self) -> u64 {
        self.share
    }

    pub(super) const fn length(&self) -> Duration {
        self.length
    }

    pub(super) const fn min_samples(&self) -> u32 {
        self.min_samples
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

    /// How long it is until the next step of the window; it moves on in this many of them.
    pub(super) fn step(&self, now: Moment) -> (u64, u64) {
        let length = self.slot_length();
        (length - now.as_nanos() % length, self.slots)
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
        let earned = u128::from(window.samples) * u128::from(self.share) / u128::from(WHOLE);
        let earned = u64::try_from(earned).unwrap_or(u64::MAX).saturating_add(self.reserve());
        let min_samples = u64::from(self.min_samples);
        if window.samples < min_samples { earned.max(min_samples - 1) } else { earned }
    }

    fn ring(&self) -> &Ring {
        #[expect(clippy::cast_possible_truncation, reason = "a small constant")]
        self.ring.get_or_init(|| Ring::new(self.slots as usize))
    }

    fn slot(&self, now: Moment) -> u64 {
        now.as_nanos() / self.slot_length()
    }

    fn slot_length(&self) -> u64 {
        nanos(self.length).div_ceil(self.slots).max(1)
    }
}
