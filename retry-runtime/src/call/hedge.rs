//! A round of attempts: where the first is slow another one starts beside it, and the first answer wins.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use pin_project_lite::pin_project;

use crate::{
    AttemptTimeout, Cut, DeadlineExceeded, Moment, Policy, RetryEvent, clock, context,
    hedge::{End, Hedge, Next, Race},
    machine::{self, Facts},
};

use super::{Call, Cuts, Fallible, Phase, cold::facts_of};

/// What a round ended in, what that told (`None` is an answer), and the hook, which is needed again.
type Ended<O, K> = (O, Option<Facts>, K);

pin_project! {
    /// The future of one round of attempts.
    ///
    /// The first lies in place; those beside it are boxed as they start. All are polled in each poll.
    #[project = Round]
    #[must_use = "futures do nothing unless polled"]
    pub struct HedgedFuture<'call, F, H, C, J, K> {
        call: &'call mut Call,
        policy: &'call Policy,
        cuts: C,
        attempt: H,
        judge: J,
        // `None` once the round is over.
        hook: Option<K>,
        #[pin]
        first: Option<F>,
        beside: Vec<Beside<F>>,
        // When the first is to end by its own timeout.
        ends: Moment,
        race: Race,
        // What the timer is set for; `NEVER` if for nothing.
        armed: Moment,
        // Whether the deadline may end what is in flight.
        cuts_at_deadline: bool,
        waited: bool,
    }
}

/// An attempt beside the first.
struct Beside<F> {
    number: u32,
    ends: Moment,
    attempt: Pin<Box<F>>,
}

/// Nobody is told.
#[inline]
pub fn untold<E>(_: &RetryEvent<'_, E>) {}

impl Call {
    /// One round of attempts, each a run of `attempt`, at the site's [`Hedge`]. Each failure is judged
    /// once, and `hook` is told of each hedge.
    #[inline]
    pub fn attempt_hedged<'call, F, H, C, J, K>(
        &'call mut self,
        policy: &'call Policy,
        cuts: C,
        attempt: H,
        judge: J,
        hook: K,
    ) -> HedgedFuture<'call, F, H, C, J, K>
    where
        F: Future,
        F::Output: Fallible,
        H: Fn() -> F,
        C: Cuts<F::Output>,
        J: FnMut(&ResultOf<F>) -> Option<Facts>,
        K: FnMut(&RetryEvent<'_, ErrorOf<F>>),
    {
        let first = Some(attempt());
        HedgedFuture {
            race: Race::new(self.site.hedges().map_or(0, Hedge::max)),
            call: self,
            policy,
            cuts,
            attempt,
            judge,
            hook: Some(hook),
            first,
            beside: Vec::new(),
            ends: Moment::NEVER,
            armed: Moment::NEVER,
            cuts_at_deadline: true,
            waited: false,
        }
    }
}

type ErrorOf<F> = <<F as Future>::Output as Fallible>::Error;
type ResultOf<F> = Result<<<F as Future>::Output as Fallible>::Value, ErrorOf<F>>;

impl<F, H, C, J, K> Future for HedgedFuture<'_, F, H, C, J, K>
where
    F: Future,
    F::Output: Fallible,
    H: Fn() -> F,
    C: Cuts<F::Output>,
    J: FnMut(&ResultOf<F>) -> Option<Facts>,
    K: FnMut(&RetryEvent<'_, ErrorOf<F>>),
{
    type Output = Ended<C::Output, K>;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let mut round = self.project();
        if round.call.phase.needs_start() {
            if let Some(cut) = round.call.start() {
                if let Some(output) = round.cuts.cut(cut) {
                    round.call.cut_before_start(cut);
                    return round.over(output, None);
                }
            }
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

impl<F, H, C, J, K> Round<'_, '_, F, H, C, J, K>
where
    F: Future,
    F::Output: Fallible,
    H: Fn() -> F,
    C: Cuts<F::Output>,
    J: FnMut(&ResultOf<F>) -> Option<Facts>,
    K: FnMut(&RetryEvent<'_, ErrorOf<F>>),
{
    fn over(&mut self, output: C::Output, facts: Option<Facts>) -> Poll<Ended<C::Output, K>> {
        match self.hook.take() {
            Some(hook) => Poll::Ready((output, facts, hook)),
            // Polled again after it was ready, as nothing generated does.
            None => Poll::Pending,
        }
    }

    fn poll_first(&mut self, task: &mut Context<'_>) -> Option<(C::Output, Option<Facts>)> {
        let first = self.first.as_mut().as_pin_mut()?;
        let polled = {
            let _entered = context::enter(&self.call.ambient);
            first.poll(task)
        };
        let Poll::Ready(result) = polled else { return None };
        self.first.set(None);
        self.ended(self.call.ambient.attempt, result)
    }

    /// Polls those beside the first, from the `at`th on.
    fn poll_beside(
        &mut self,
        mut at: usize,
        task: &mut Context<'_>,
    ) -> Option<(C::Output, Option<Facts>)> {
        while let Some(beside) = self.beside.get_mut(at) {
            let polled = {
                let _entered = context::enter(&self.call.beside(beside.number));
                beside.attempt.as_mut().poll(task)
            };
            let Poll::Ready(result) = polled else {
                at += 1;
                continue;
            };
            let number = beside.number;
            drop(self.beside.remove(at));
            let ended = self.ended(number, result);
            if ended.is_some() {
                return ended;
            }
        }
        None
    }

    /// An attempt came to its own end: that of the round, or one of several.
    fn ended(&mut self, number: u32, result: F::Output) -> Option<(C::Output, Option<Facts>)> {
        let facts = (self.judge)(result.as_result());
        match self.race.end(end_of(facts, self.policy)) {
            Next::Commit => {
                self.commit(number);
                Some((C::ran(result), facts))
            }
            Next::Wait => {
                if let Some(facts) = facts {
                    self.failed(number, facts, clock::now());
                }
                None
            }
        }
    }

    /// An attempt failed beside others. A server that asks for a wait is not to be sent more meanwhile.
    fn failed(&mut self, number: u32, facts: Facts, now: Moment) {
        if facts.classification.hint().is_some() {
            self.race.start_no_more();
        }
        self.call.fail_beside(number, facts, now);
    }

    /// The round is over: whoever is in flight is dropped, outside of its context.
    fn commit(&mut self, number: u32) {
        self.call.settle_on(number);
        self.first.set(None);
        self.beside.clear();
    }

    fn poll_timer(&mut self, task: &mut Context<'_>) -> Option<(C::Output, Option<Facts>)> {
        if !*self.waited {
            *self.waited = true;
            self.wait_first();
        }
        loop {
            let next = self.next_moment();
            if next == Moment::NEVER {
                return None;
            }
            if *self.armed != next {
                *self.armed = next;
                self.call.heat().set_timer(next);
            }
            if self.call.heat().poll_timer(task).is_pending() {
                return None;
            }
            *self.armed = Moment::NEVER;
            let now = clock::now().max(next);
            let mut ended = self.cut_at_deadline(now);
            if ended.is_none() {
                ended = self.cut_slow(now);
            }
            if ended.is_none() && self.race.take_turn(now) {
                ended = self.hedge(now, task);
            }
            if ended.is_some() {
                return ended;
            }
        }
    }

    /// The first attempt is not ready at once. Before that no clock was read.
    #[cold]
    fn wait_first(&mut self) {
        let timeout = self.call.site.timeout();
        let delay = self.call.hedge_delay(self.policy);
        if timeout.is_none() && delay.is_none() {
            return;
        }
        let now = clock::now();
        *self.ends = timeout.map_or(Moment::NEVER, |timeout| now.after(timeout));
        if let Some(delay) = delay {
            self.race.schedule(now.after(delay));
        }
    }

    /// When something is to be done, if nothing ends before.
    fn next_moment(&self) -> Moment {
        let deadline =
            if *self.cuts_at_deadline { self.call.ambient.deadline } else { Moment::NEVER };
        let ends = self.beside.iter().map(|beside| beside.ends);
        ends.fold((*self.ends).min(deadline).min(self.race.due()), Moment::min)
    }

    fn cut_at_deadline(&mut self, now: Moment) -> Option<(C::Output, Option<Facts>)> {
        if !*self.cuts_at_deadline || now < self.call.ambient.deadline {
            return None;
        }
        *self.cuts_at_deadline = false;
        let cut = Cut::DeadlineExceeded(DeadlineExceeded::new());
        // Where the error type cannot express it, what is in flight goes on.
        let output = self.cuts.cut(cut)?;
        let newest = self.beside.last().map_or(self.call.ambient.attempt, |beside| beside.number);
        self.race.end(End::Final);
        Some(self.commit_cut(newest, cut, output))
    }

    /// Ends every attempt whose own time is over.
    fn cut_slow(&mut self, now: Moment) -> Option<(C::Output, Option<Facts>)> {
        if *self.ends <= now {
            *self.ends = Moment::NEVER;
            let ended = self.cut_one(self.call.ambient.attempt, now);
            if ended.is_some() {
                return ended;
            }
        }
        while let Some(slow) = self.beside.iter_mut().find(|beside| beside.ends <= now) {
            slow.ends = Moment::NEVER;
            let number = slow.number;
            let ended = self.cut_one(number, now);
            if ended.is_some() {
                return ended;
            }
        }
        None
    }

    fn cut_one(&mut self, number: u32, now: Moment) -> Option<(C::Output, Option<Facts>)> {
        let cut = Cut::AttemptTimeout(AttemptTimeout::new());
        let output = self.cuts.cut(cut)?;
        let facts = facts_of(cut);
        match self.race.end(end_of(Some(facts), self.policy)) {
            Next::Commit => Some(self.commit_cut(number, cut, output)),
            Next::Wait => {
                let (first, beside) = (&mut self.first, &mut *self.beside);
                let is_first = number == self.call.ambient.attempt;
                self.call.drop_beside(|| {
                    if is_first {
                        first.set(None);
                    } else {
                        beside.retain(|beside| beside.number != number);
                    }
                });
                self.failed(number, facts, now);
                None
            }
        }
    }

    /// The round ends in a cut; what it drops was cut too.
    fn commit_cut(
        &mut self,
        number: u32,
        cut: Cut,
        output: C::Output,
    ) -> (C::Output, Option<Facts>) {
        self.call.heat().set_cut(cut);
        self.call.phase = Phase::Cut;
        self.call.begin_dropping();
        self.commit(number);
        (output, None)
    }

    /// It is time to consider another attempt beside those in flight.
    #[cold]
    fn hedge(&mut self, now: Moment, task: &mut Context<'_>) -> Option<(C::Output, Option<Facts>)> {
        let delay = self.call.hedge_delay(self.policy)?;
        self.race.schedule(now.after(delay));
        if !self.call.pay_hedge(self.policy, now) {
            return None;
        }
        self.race.start();
        let number = self.call.start_hedge();
        if let Some(hook) = self.hook.as_mut() {
            let event = self.call.hedge_event(number, delay);
            self.call.tell(&event, hook);
        }
        let timeout = self.call.site.timeout();
        let ends = timeout.map_or(Moment::NEVER, |timeout| now.after(timeout));
        let at = self.beside.len();
        self.beside.push(Beside { number, ends, attempt: Box::pin((self.attempt)()) });
        self.poll_beside(at, task)
    }
}

/// Whether another attempt in flight can make up for this.
fn end_of(facts: Option<Facts>, policy: &Policy) -> End {
    match facts {
        Some(facts) if machine::classify(&facts.classification, policy).is_ok() => End::Retryable,
        _ => End::Final,
    }
}

impl<F, H, C, J, K> std::fmt::Debug for HedgedFuture<'_, F, H, C, J, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HedgedFuture")
            .field("call", &self.call)
            .field("race", &self.race)
            .finish_non_exhaustive()
    }
}
