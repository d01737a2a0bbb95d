//! A round of attempts: where the first is slow another one starts beside it, and the first answer wins.

mod timer;

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use pin_project_lite::pin_project;

use crate::{
    Cut, Moment, Policy, RetryEvent, context,
    hedge::{End as RaceEnd, Hedge, Next, Race},
    machine::{self, Facts},
};

use super::{Call, Cuts, Fallible, Passes, Phase, gate::read, hedging::Ending, passes::Pass};

/// What a round ended in, what that told (`None` is an answer), and the hook, which is needed again.
type Ended<O, K> = (O, Option<Facts>, K);

pin_project! {
    /// The future of one round of attempts.
    ///
    /// The first lies in place; those beside it are boxed as they start. All are polled in each poll.
    #[project = Round]
    #[must_use = "futures do nothing unless polled"]
    pub struct HedgedFuture<'call, F, H, C, J, K, G> {
        call: &'call mut Call,
        policy: &'call Policy,
        cuts: C,
        attempt: H,
        judge: J,
        gate: G,
        // `None` once the round is over.
        hook: Option<K>,
        #[pin]
        first: Option<F>,
        beside: Vec<Beside<F>>,
        started: bool,
        // When the first started, if that is remembered.
        began: Moment,
        // When the first is to end by its own timeout.
        ends: Moment,
        race: Race,
        // How long after the one before the next hedge is to be considered.
        delay: Duration,
        // What the timer is set for; `NEVER` if for nothing.
        armed: Moment,
        // Whether the deadline may end what is in flight.
        cuts_at_deadline: bool,
        waited: bool,
    }
}

/// An attempt in flight, apart from its future.
struct Flight {
    number: u32,
    /// `None` for the first, which has the gate's own.
    pass: Option<Pass>,
    /// When it started, if that is remembered.
    began: Moment,
}

/// An attempt beside the first.
struct Beside<F> {
    flight: Flight,
    /// When it is to end by its own timeout.
    ends: Moment,
    attempt: Pin<Box<F>>,
}

/// What ends a round: the output of the attempt that decides, and what it told.
type End<F, C> = (<C as Cuts<<F as Future>::Output>>::Output, Option<Facts>);

/// A body that each attempt runs anew, and that only borrows what it uses.
#[inline]
pub const fn attempts<H: Fn() -> F, F: Future>(attempt: H) -> H {
    attempt
}

/// Nobody is told.
#[inline]
pub fn untold<E>(_: &RetryEvent<'_, E>) {}

impl Call {
    /// One round of attempts, each a run of `attempt`, at the site's [`Hedge`]. Each failure is judged
    /// once, and `hook` is told of each hedge.
    #[inline]
    pub fn attempt_hedged<'call, F, H, C, J, K, G>(
        &'call mut self,
        policy: &'call Policy,
        cuts: C,
        attempt: H,
        judge: J,
        hook: K,
        gate: G,
    ) -> HedgedFuture<'call, F, H, C, J, K, G>
    where
        F: Future,
        F::Output: Fallible,
        H: Fn() -> F,
        C: Cuts<F::Output>,
        J: FnMut(&ResultOf<F>) -> Option<Facts>,
        K: FnMut(&RetryEvent<'_, ErrorOf<F>>),
        G: Passes,
    {
        let first = Some(attempt());
        HedgedFuture {
            race: Race::new(self.site.hedges().map_or(0, Hedge::max)),
            call: self,
            policy,
            cuts,
            attempt,
            judge,
            gate,
            hook: Some(hook),
            first,
            beside: Vec::new(),
            started: false,
            began: Moment::NEVER,
            ends: Moment::NEVER,
            delay: Duration::MAX,
            armed: Moment::NEVER,
            cuts_at_deadline: true,
            waited: false,
        }
    }
}

type ErrorOf<F> = <<F as Future>::Output as Fallible>::Error;
type ResultOf<F> = Result<<<F as Future>::Output as Fallible>::Value, ErrorOf<F>>;

impl<F, H, C, J, K, G> Future for HedgedFuture<'_, F, H, C, J, K, G>
where
    F: Future,
    F::Output: Fallible,
    H: Fn() -> F,
    C: Cuts<F::Output>,
    J: FnMut(&ResultOf<F>) -> Option<Facts>,
    K: FnMut(&RetryEvent<'_, ErrorOf<F>>),
    G: Passes,
{
    type Output = Ended<C::Output, K>;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let mut round = self.project();
        if round.call.phase.needs_start() {
            if let Some(output) = round.gate.admit(round.call, round.cuts) {
                return round.over(output, None);
            }
            if let Some(cut) = round.call.start() {
                if let Some(output) = round.cuts.cut(cut) {
                    round.call.cut_before_start(cut);
                    return round.over(output, None);
                }
            }
        }
        if !*round.started {
            *round.started = true;
            *round.began = round.call.starts();
        }
        round.call.phase = Phase::Polling;
        // What is ready is taken before the timer is asked: an answer at the very tick of a hedge wins.
        let mut ended = round.poll_first(task);
        if ended.is_none() {
            ended = round.poll_beside(0, task);
        }
        if ended.is_none() {
            ended = round.poll_timer(task);
        }
        match ended {
            Some((output, facts)) => round.over(output, facts),
            None => {
                round.call.phase = Phase::Running;
                Poll::Pending
            }
        }
    }
}

impl<F, H, C, J, K, G> Round<'_, '_, F, H, C, J, K, G>
where
    F: Future,
    F::Output: Fallible,
    H: Fn() -> F,
    C: Cuts<F::Output>,
    J: FnMut(&ResultOf<F>) -> Option<Facts>,
    K: FnMut(&RetryEvent<'_, ErrorOf<F>>),
    G: Passes,
{
    fn over(&mut self, output: C::Output, facts: Option<Facts>) -> Poll<Ended<C::Output, K>> {
        match self.hook.take() {
            Some(hook) => Poll::Ready((output, facts, hook)),
            // Polled again after it was ready, as nothing generated does.
            None => Poll::Pending,
        }
    }

    /// The first attempt, apart from its future.
    fn first(&self) -> Flight {
        Flight { number: self.call.ambient.attempt, pass: None, began: *self.began }
    }

    fn poll_first(&mut self, task: &mut Context<'_>) -> Option<End<F, C>> {
        let first = self.first.as_mut().as_pin_mut()?;
        let polled = {
            let _entered = context::enter(&self.call.ambient);
            first.poll(task)
        };
        let Poll::Ready(result) = polled else { return None };
        self.first.set(None);
        self.ended(self.first(), result)
    }

    /// Polls those beside the first, from the `at`th on.
    fn poll_beside(&mut self, mut at: usize, task: &mut Context<'_>) -> Option<End<F, C>> {
        while let Some(beside) = self.beside.get_mut(at) {
            let polled = {
                let _entered = context::enter(&self.call.beside(beside.flight.number));
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
        match (self.race.end(end_of(facts, self.policy)), facts) {
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
    fn failed(&mut self, flight: Flight, facts: Facts, cut: Option<Cut>, now: Moment) {
        if facts.classification.hint().is_some() {
            self.race.start_no_more();
        }
        self.gate.failed_beside(self.call, flight.pass, &facts, cut, now);
        self.call.fail_beside(flight.number, facts, now);
    }

    /// The round is over, and `flight` decides: whoever else is in flight is dropped, outside of its context.
    fn commit(&mut self, flight: Flight, now: &mut Option<Moment>) {
        if let Some(pass) = flight.pass {
            if self.first.is_some() {
                self.call.took(*self.began, Ending::Dropped, now);
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
        self.call.settle_on(flight.number);
    }
}

/// Whether another attempt in flight can make up for this.
fn end_of(facts: Option<Facts>, policy: &Policy) -> RaceEnd {
    match facts {
        Some(facts) if machine::classify(&facts.classification, policy).is_ok() => {
            RaceEnd::Retryable
        }
        _ => RaceEnd::Final,
    }
}

impl<F, H, C, J, K, G> std::fmt::Debug for HedgedFuture<'_, F, H, C, J, K, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HedgedFuture")
            .field("call", &self.call)
            .field("race", &self.race)
            .finish_non_exhaustive()
    }
}
