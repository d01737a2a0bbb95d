//! How rows are made of events.

use std::collections::{HashMap, HashSet};

use crate::{
    Event, Moment, What, context,
    event::Origin,
    testing::schedule::row::{AttemptOutcome, ScheduleRow},
};

/// A call and an attempt of it.
type At = (u64, u32);

#[derive(Debug)]
pub(super) struct Book {
    begun: Moment,
    rows: Vec<ScheduleRow>,
    /// Where each is.
    places: HashMap<At, usize>,
    calls: HashMap<u64, Call>,
}

#[derive(Debug)]
struct Call {
    number: usize,
    /// The attempt inside of which it began.
    outer: Option<At>,
}

impl Book {
    pub(super) fn new(begun: Moment) -> Self {
        Self { begun, rows: Vec::new(), places: HashMap::new(), calls: HashMap::new() }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &ScheduleRow> {
        self.rows.iter()
    }

    /// Notes what an event says, on the thread on which it happens and in the context around the call.
    pub(super) fn note(&mut self, event: &Event) {
        let Some(origin) = event.origin() else { return };
        match *event.what() {
            What::CallStarted => {
                let around = context::ambient();
                let outer = (around.call() != 0).then(|| (around.call(), around.attempt()));
                self.call(origin.call, outer);
            }
            What::AttemptStarted { hedge } => {
                let started = self.begun.until(event.at());
                let row = self.row(origin);
                (row.started, row.hedge) = (Some(started), hedge);
            }
            What::AttemptSucceeded { .. } => self.row(origin).outcome = AttemptOutcome::Succeeded,
            What::AttemptFailed { classification, label, .. } => {
                self.row(origin).outcome = AttemptOutcome::Failed { classification, label };
            }
            What::AttemptDropped { .. } => self.row(origin).outcome = AttemptOutcome::Dropped,
            What::RetryScheduled { delay } => self.row(origin).delay = Some(delay),
            What::CallStopped { reason, attempts, .. } => {
                let row = self.row(Origin { attempt: attempts, ..origin });
                row.stopped = Some(reason);
                if attempts == 0 {
                    row.outcome = AttemptOutcome::NotStarted;
                }
            }
            What::CallPanicked { attempts, .. } => {
                self.row(Origin { attempt: attempts, ..origin }).outcome = AttemptOutcome::Panicked;
            }
            _ => {}
        }
    }

    /// The number of a call.
    fn call(&mut self, call: u64, outer: Option<At>) -> usize {
        let next = self.calls.len() + 1;
        self.calls.entry(call).or_insert(Call { number: next, outer }).number
    }

    /// The row of an attempt, made if there is none: it may have been under way before.
    fn row(&mut self, origin: Origin) -> &mut ScheduleRow {
        let call = self.call(origin.call, None);
        let place = *self.places.entry((origin.call, origin.attempt)).or_insert(self.rows.len());
        if place == self.rows.len() {
            self.rows.push(ScheduleRow {
                call,
                site: origin.site.name(),
                attempt: origin.attempt,
                hedge: false,
                started: None,
                outcome: AttemptOutcome::Running,
                delay: None,
                stopped: None,
            });
        }
        &mut self.rows[place]
    }

    /// How many of these attempts contain no others, and how many of those would have been made without retries.
    pub(super) fn leaves(&self, wanted: impl Fn(&ScheduleRow) -> bool) -> (usize, usize) {
        let outers: HashSet<At> = (self.places.keys())
            .filter(|(_, attempt)| *attempt > 0)
            .filter_map(|(call, _)| self.calls.get(call)?.outer)
            .collect();
        let leaves = self
            .places
            .iter()
            .filter(|(at, place)| at.1 > 0 && !outers.contains(at) && wanted(&self.rows[**place]));
        leaves.fold((0, 0), |(all, first), (at, _)| {
            (all + 1, first + usize::from(self.is_first(*at)))
        })
    }

    /// Whether an attempt is a first one, within a first one if it is within any.
    fn is_first(&self, at: At) -> bool {
        let mut next = Some(at);
        while let Some((call, attempt)) = next {
            if attempt > 1 {
                return false;
            }
            next = self.calls.get(&call).and_then(|call| call.outer);
        }
        true
    }
}
