//! Retries as a share of the attempts of the recent past.

use std::sync::OnceLock;
use std::time::Duration;

use crate::Moment;
use crate::ring::{Ring, Totals, slot_at};
use crate::time::nanos;

/// Units of the whole, in which shares are held: exact for up to nine decimals.
pub(super) const WHOLE: u64 = 1_000_000_000;

/// Counts are allocated with the first attempt, so that budgets of other kinds stay small.
#[derive(Debug)]
pub(super) struct Window {
    share: u64,
    length: Duration,
    min_samples: u32,
    ring: OnceLock<Ring>,
}

impl Window {
    pub(super) const fn new(share: u64, length: Duration, min_samples: u32) -> Self {
        Self { share, length, min_samples, ring: OnceLock::new() }
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

    pub(super) fn give_back(&self, cost: u32, slot: u64) {
        if let Some(ring) = self.ring.get() {
            ring.release(slot, u64::from(cost));
        }
    }

    /// Retries that the window would still grant: at `now`, or when it was last used.
    pub(super) fn left(&self, now: Option<Moment>) -> u64 {
        let window = self.ring.get().map_or(Totals::NONE, |ring| {
            ring.totals(now.map_or(0, |now| self.slot(now)).max(ring.newest()))
        });
        self.allowance(window).saturating_sub(window.marked)
    }

    /// How many retries a window with these attempts may hold. The exemption covers fewer retries
    /// than `min_samples`, whatever they cost and however late their attempts are counted.
    fn allowance(&self, window: Totals) -> u64 {
        // At most 60 · 2^24 attempts, so the product stays below 2^60.
        let earned = window.samples * self.share / WHOLE;
        let min_samples = u64::from(self.min_samples);
        if window.samples < min_samples { earned.max(min_samples - 1) } else { earned }
    }

    fn ring(&self) -> &Ring {
        self.ring.get_or_init(Ring::of_a_window)
    }

    fn slot(&self, now: Moment) -> u64 {
        slot_at(now.as_nanos(), nanos(self.length))
    }
}
