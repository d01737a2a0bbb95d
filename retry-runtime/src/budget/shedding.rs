//! Shedding of first attempts: what the dependency would reject is better not sent.

use std::sync::OnceLock;
use std::time::Duration;

use super::sync::{AtomicU32, Ordering};
use crate::ring::{Ring, Totals, slot_at};
use crate::time::nanos;
use crate::{Moment, Uniform};

const WINDOW: Duration = Duration::from_secs(120);

/// Client-side throttling as the SRE book has it: over the last two minutes the requests that the
/// application attempted, the shed ones included, and those that the dependency accepted.
#[derive(Debug)]
pub(super) struct Shedding {
    /// How many requests there may be for each accepted one, in thousandths; 0 if nothing is ever shed.
    multiplier: AtomicU32,
    ring: OnceLock<Ring>,
}

impl Shedding {
    const fn new(multiplier: u32) -> Self {
        Self { multiplier: AtomicU32::new(multiplier), ring: OnceLock::new() }
    }

    /// Nothing is shed.
    pub(super) const fn never() -> Self {
        Self::new(0)
    }

    pub(super) const fn set_multiplier(&mut self, thousandths: u32) {
        self.multiplier = AtomicU32::new(thousandths);
    }

    pub(super) fn change(&self, thousandths: u32) {
        self.multiplier.store(thousandths, Ordering::Relaxed);
    }

    /// This, unless nothing is ever shed.
    pub(super) fn get(&self) -> Option<&Self> {
        if self.multiplier() == 0 { None } else { Some(self) }
    }

    pub(super) fn fresh_copy(&self) -> Self {
        Self::new(self.multiplier())
    }

    pub(super) fn multiplier(&self) -> u32 {
        self.multiplier.load(Ordering::Relaxed)
    }

    pub(super) fn note_request(&self, now: Moment) {
        self.ring().record(Self::slot(now));
    }

    pub(super) fn note_accept(&self, now: Moment) {
        self.ring().record_beside(Self::slot(now));
    }

    /// The chance, from 0 to 1, that the next request is shed: max(0, (requests − K · accepts) /
    /// (requests + 1)).
    pub(super) fn chance(&self, now: Moment) -> f64 {
        let (excess, whole) = self.odds(now);
        #[expect(clippy::cast_precision_loss, reason = "a probability to look at")]
        let chance = excess as f64 / whole as f64;
        chance
    }

    /// Draws whether the next request is shed.
    pub(super) fn sheds(&self, now: Moment, random: &mut dyn Uniform) -> bool {
        let (excess, whole) = self.odds(now);
        excess != 0 && random.up_to(whole - 1) < excess
    }

    /// The chance as a fraction, in thousandths of requests so that it is exact.
    fn odds(&self, now: Moment) -> (u64, u64) {
        let Totals { samples: requests, marked: accepts } = self
            .ring
            .get()
            .map_or(Totals::NONE, |ring| ring.totals(Self::slot(now).max(ring.newest())));
        // At most 60 · 2^24 of each, times at most 2^32.
        let accepted = accepts.saturating_mul(self.multiplier().into());
        ((requests * 1_000).saturating_sub(accepted), (requests + 1) * 1_000)
    }

    fn ring(&self) -> &Ring {
        self.ring.get_or_init(Ring::of_a_window)
    }

    const fn slot(now: Moment) -> u64 {
        slot_at(now.as_nanos(), nanos(WINDOW))
    }
}
