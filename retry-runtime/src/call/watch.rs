//! What is kept about a call that somebody observes.

use std::time::Duration;

use crate::Moment;

/// When a call and its attempts in flight began. Made when the first event of the call is told.
#[derive(Debug)]
pub(super) struct Watch {
    /// `NEVER` where nobody observed it yet.
    pub(super) begun: Moment,
    flights: Vec<(u32, Moment)>,
}

impl Watch {
    /// Of a call that was under way already.
    pub(super) const fn new() -> Self {
        Self { begun: Moment::NEVER, flights: Vec::new() }
    }

    /// For how long the call has been under way, if that is known.
    pub(super) fn took(&self, now: Moment) -> Option<Duration> {
        since(self.begun, now)
    }

    /// An attempt starts.
    pub(super) fn start(&mut self, number: u32, now: Moment) {
        self.flights.push((number, now));
    }

    /// An attempt has ended: how long it took, if that is known.
    pub(super) fn end(&mut self, number: u32, now: Moment) -> Option<Duration> {
        let at = self.flights.iter().position(|(known, _)| *known == number)?;
        since(self.flights.remove(at).1, now)
    }

    /// Every attempt in flight but this one, the oldest first. They are in flight no more.
    pub(super) fn end_others(&mut self, number: Option<u32>) -> Vec<(u32, Moment)> {
        let (kept, ended) = self.flights.drain(..).partition(|(known, _)| Some(*known) == number);
        self.flights = kept;
        ended
    }
}

fn since(begun: Moment, now: Moment) -> Option<Duration> {
    (begun != Moment::NEVER).then(|| begun.until(now))
}
