//! When clients call of themselves.

use super::dice::{Dice, Stream};
use crate::scenario::{Clients, Distribution};

/// Calls that come whatever becomes of earlier ones: one stream for all processes, and the waves.
pub(super) struct Arrivals {
    pub(super) dice: Dice,
    /// Between two of them, in nanoseconds; 0 if there are none.
    mean: f64,
    next: u64,
    /// The latest first.
    waves: Vec<u64>,
    /// Nobody calls from this moment on.
    pub(super) until: u64,
    processes: u32,
}

impl Arrivals {
    pub(super) fn new(clients: &Clients, seed: u64, until: u64) -> Self {
        let mut dice = Dice::new(seed, Stream::Arrivals);
        let rate = clients.rate * f64::from(clients.processes);
        let mut waves: Vec<u64> = Vec::new();
        for wave in &clients.waves {
            let width = Distribution::Uniform(wave.at, wave.at + wave.within);
            waves.extend((0..wave.calls).map(|_| dice.draw(&width)));
        }
        waves.sort_unstable_by(|one, other| other.cmp(one));
        let mut arrivals = Self {
            dice,
            mean: if rate > 0.0 { 1e9 / rate } else { 0.0 },
            next: u64::MAX,
            waves,
            until,
            processes: clients.processes,
        };
        arrivals.draw(0);
        arrivals
    }

    /// The stream's next after this moment.
    fn draw(&mut self, now: u64) {
        let next = if self.mean > 0.0 {
            now.saturating_add(self.dice.exponential(self.mean))
        } else {
            u64::MAX
        };
        self.next = if next < self.until { next } else { u64::MAX };
    }

    /// When somebody calls next.
    pub(super) fn peek(&self) -> u64 {
        self.waves.last().map_or(self.next, |wave| self.next.min(*wave))
    }

    /// Who calls now.
    pub(super) fn take(&mut self, now: u64) -> u32 {
        if self.waves.last() == Some(&now) {
            self.waves.pop();
        } else {
            self.draw(now);
        }
        self.dice.below(self.processes)
    }
}
