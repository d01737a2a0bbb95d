//! Who is polled in a round, and what the end of an attempt leads to.

use std::{
    future::Future,
    task::{Context, Poll},
};

use crate::{
    Cut, Moment, Policy, RetryEvent, context,
    hedge::{End as RaceEnd, Next},
    machine::{self, Facts},
    run::Operation,
};

use super::{
    super::{Cuts, Fallible, Passes, Phase, gate::read, hedging::Ending},
    Beside, End, ErrorOf, Flight, ResultOf, Round,
};

impl<F, H, C, J, K, G> Round<'_, F, H, C, J, K, G>
where
    F: Future,
    F::Output: Fallible,
    H: Operation<Output = F::Output, Body = F>,
    C: Cuts<F::Output>,
    J: FnMut(&ResultOf<F>) -> Option<Facts>,
    K: FnMut(&RetryEvent<'_, ErrorOf<F>>),
    G: Passes,
{
    /// Waits until the round is due, and starts it, or tells what ends it before that.
    pub(crate) fn poll_start(&mut self, task: &mut Context<'_>) -> Poll<Option<C::Output>> {
        if self.call.poll_due(task).is_pending() {
            return Poll::Pending;
        }
        if let Some(output) = self.gate.admit(self.call, self.cuts) {
            return Poll::Ready(Some(output));
        }
        if let Some(cut) = self.call.start() {
            if let Some(output) = self.cuts.cut(cut) {
                self.call.cut_before_start(cut);
                return Poll::Ready(Some(output));
            }
        }
        Poll::Ready(None)
    }

    /// The first attempt is about to be polled.
    pub(crate) fn begin(&mut self) {
        *self.timing.began = self.call.starts();
    }

    /// Polls whoever is in flight, and then the timer.
    pub(crate) fn poll(&mut self, task: &mut Context<'_>) -> Option<End<F, C>> {
        self.call.phase = Phase::Polling;
        // What is ready is taken before the timer is asked: an answer at the very tick of a hedge wins.
        let mut ended = self.poll_first(task);
        if ended.is_none() {
            ended = self.poll_beside(0, task);
        }
        if ended.is_none() {
            ended = self.poll_timer(task);
        }
        if ended.is_none() {
            self.call.phase = Phase::Running;
        }
        ended
    }

    /// The first attempt, apart from its future.
    pub(super) fn first(&self) -> Flight {
        Flight { number: self.call.ambient.attempt(), pass: None, began: *self.timing.began }
    }

    pub(super) fn poll_first(&mut self, task: &mut Context<'_>) -> Option<End<F, C>> {
        let first = self.first.as_mut().as_pin_mut()?;
        let polled = {
            let _entered = context::enter(&self.call.ambient);
            let _inside = self.call.inside(self.call.ambient.attempt());
            first.poll(task)
        };
        let Poll::Ready(result) = polled else { return None };
        self.first.set(None);
        self.ended(self.first(), result)
    }

    /// Polls those beside the first, from the `at`th on.
    pub(super) fn poll_beside(
        &mut self,
        mut at: usize,
        task: &mut Context<'_>,
    ) -> Option<End<F, C>> {
        while let Some(beside) = self.beside.get_mut(at) {
            let polled = {
                let _entered = context::enter(&self.call.beside(beside.flight.number));
                let _inside = self.call.inside(beside.flight.number);
                beside.attempt.as_mut().poll(task)
            };
            let Poll::Ready(result) = polled else {
                at += 1;
                continue;
            };
            let Beside { flight, attempt, .. } = self.beside.remove(at);
            drop(attempt);
            let ended = self.ended(flight, result);
            if ended.is_some() {
                return ended;
            }
        }
        None
    }

    /// An attempt came to its own end: that of the round, or one of several.
    fn ended(&mut self, flight: Flight, result: F::Output) -> Option<End<F, C>> {
        let facts = (self.judge)(result.as_result());
        let mut now = None;
        self.call.took(flight.began, Ending::of(facts.as_ref()), &mut now);
        match (self.timing.race.end(end_of(facts, self.policy)), facts) {
            (Next::Wait, Some(facts)) => {
                self.failed(flight, facts, None, read(&mut now));
                None
            }
            (Next::Wait | Next::Commit, _) => {
                self.commit(flight, &mut now);
                Some((C::ran(result), facts))
            }
        }
    }

    /// An attempt failed beside others. A server that asks for a wait is not to be sent more meanwhile.
    pub(super) fn failed(&mut self, flight: Flight, facts: Facts, cut: Option<Cut>, now: Moment) {
        // It tells of the failure, which may open the breaker.
        let capped = self.call.fail_beside(flight.number, facts, now);
        self.gate.failed_beside(self.call, flight.pass, &facts, cut, now);
        if capped || facts.classification.hint().is_some() {
            self.timing.race.start_no_more();
        }
    }

    /// The round is over, and `flight` decides: whoever else is in flight is dropped, outside of its context.
    pub(super) fn commit(&mut self, flight: Flight, now: &mut Option<Moment>) {
        if let Some(pass) = flight.pass {
            if self.first.is_some() {
                self.call.took(*self.timing.began, Ending::Dropped, now);
                self.gate.lost(self.call, None, now);
            }
            self.gate.decide_by(pass);
        }
        self.first.set(None);
        for Beside { flight: lost, attempt, .. } in self.beside.drain(..) {
            self.call.took(lost.began, Ending::Dropped, now);
            self.gate.lost(self.call, lost.pass, now);
            drop(attempt);
        }
        self.call.tell_dropped(Some(flight.number));
        self.call.settle_on(flight.number);
    }
}

/// Whether another attempt in flight can make up for this.
pub(super) fn end_of(facts: Option<Facts>, policy: &Policy) -> RaceEnd {
    match facts {
        Some(facts) if machine::classify(&facts.classification, policy).is_ok() => {
            RaceEnd::Retryable
        }
        _ => RaceEnd::Final,
    }
}
