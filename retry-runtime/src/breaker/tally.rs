//! What a closed breaker knows of its calls.

use std::sync::OnceLock;

use super::BreakerSettings;
use super::limits::Limits;
use super::share;
use super::stats::BreakerRecent;
use super::streak::Streak;
use super::sync::AtomicU64;
use super::word::Word;
use crate::Moment;
use crate::ring::{Ring, SLOTS};

/// Rings are made when a rule first counts something, so a breaker is small until then, and never
/// larger than with all four of them.
#[derive(Debug)]
pub(super) struct Tally {
    failures: Row,
    timeouts: Row,
    failed: OnceLock<Ring>,
    slow: OnceLock<Ring>,
}

/// Failures in a row, and when they were.
#[derive(Debug)]
struct Row {
    streak: Streak,
    ring: OnceLock<Ring>,
}

impl Row {
    const fn new() -> Self {
        Self { streak: Streak::new(AtomicU64::new(0)), ring: OnceLock::new() }
    }

    fn extend(&self, word: Word, slot: u64, limit: u32) -> bool {
        let ring = self.ring.get_or_init(Ring::of_a_window);
        self.streak.extend(word.tag(), ring, slot) >= u64::from(limit)
    }

    fn recent(&self, word: Word, slot: u64) -> u64 {
        self.ring.get().map_or(0, |ring| self.streak.recent(word.tag(), ring, slot))
    }
}

/// One call, as far as the rules ask.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) failed: bool,
    pub(super) timed_out: bool,
    pub(super) slow: bool,
}

impl Tally {
    pub(super) const fn new() -> Self {
        Self {
            failures: Row::new(),
            timeouts: Row::new(),
            failed: OnceLock::new(),
            slow: OnceLock::new(),
        }
    }

    /// Whether a success changes nothing; a load for each kind of streak that is asked for.
    #[inline]
    pub(super) fn ignores_success(&self, settings: &BreakerSettings, word: Word) -> bool {
        !settings.measures_rates()
            && (settings.consecutive.is_none() || self.failures.streak.is_quiet(word.tag()))
            && (settings.consecutive_timeouts.is_none()
                || self.timeouts.streak.is_quiet(word.tag()))
    }

    /// Counts a call that was admitted in this state; whether the breaker is to open.
    pub(super) fn note(
        &self,
        settings: &BreakerSettings,
        limits: &Limits,
        word: Word,
        facts: Facts,
        now: Moment,
    ) -> bool {
        let slot = slot(limits, word, now);
        let mut opens = false;
        if facts.failed {
            opens |= settings.consecutive.is_some()
                && self.failures.extend(word, slot, limits.consecutive());
        } else {
            self.failures.streak.end(word.tag());
            self.timeouts.streak.end(word.tag());
        }
        if facts.timed_out {
            opens |= settings.consecutive_timeouts.is_some()
                && self.timeouts.extend(word, slot, limits.consecutive_timeouts());
        }
        if settings.failure_rate.is_some() {
            opens |= share::note(ring(&self.failed), slot, facts.failed, limits.failed());
        }
        if settings.slow_calls.is_some() {
            opens |= share::note(ring(&self.slow), slot, facts.slow, limits.slow());
        }
        opens
    }

    /// The latest slot of this generation in which anything was counted, as [`Limits::slot`] numbers them.
    pub(super) fn newest(&self, word: Word) -> u64 {
        let rings = [&self.failures.ring, &self.timeouts.ring, &self.failed, &self.slow];
        let newest = rings.into_iter().filter_map(OnceLock::get).map(Ring::newest).max();
        newest.unwrap_or(0).saturating_sub(word.generation().saturating_mul(SLOTS))
    }

    pub(super) fn recent(&self, limits: &Limits, word: Word, now: Moment) -> BreakerRecent {
        let slot = slot(limits, word, now);
        let of =
            |ring: &OnceLock<Ring>| ring.get().map(|ring| ring.totals(slot.max(ring.newest())));
        let (failing, slowness) = (of(&self.failed), of(&self.slow));
        BreakerRecent {
            calls: failing.or(slowness).map_or(0, |window| window.samples),
            failures: failing.map_or(0, |window| window.marked),
            slow: slowness.map_or(0, |window| window.marked),
            in_a_row: self.failures.recent(word, slot),
            timeouts_in_a_row: self.timeouts.recent(word, slot),
        }
    }
}

fn ring(cell: &OnceLock<Ring>) -> &Ring {
    cell.get_or_init(Ring::of_a_window)
}

/// Each generation is a whole window apart from the one before, so that it starts with an empty one.
/// Only a call that was being counted while the breaker opened and closed again may still add itself.
fn slot(limits: &Limits, word: Word, now: Moment) -> u64 {
    limits.slot(now).saturating_add(word.generation().saturating_mul(SLOTS))
}
