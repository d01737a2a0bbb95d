//! A round of attempts: where the first is slow another one starts beside it, and the first answer wins.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use pin_project_lite::pin_project;

use crate::{
    AttemptTimeout, Cut, DeadlineExceeded, Moment, Policy, RetryEvent, clock, context,
    hedge::{End, Hedge, Next, Race},
    machine::{self, Facts},
};

use super::{Call, Cuts, Fallible, Phase, cold::facts_of, passes::Pass};

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
        // How long after the one before the next hedge is to be considered.
        delay: Duration,
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
    pass: Pass,
    ends: Moment,
    attempt: Pin<Box<F>>,
}

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
            delay: Duration::MAX,
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
            if let Some(output) = round.cuts.admit(round.call) {
                return round.over(output, None);
            }
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
        self.ended(self.call.ambient.attempt, None, result)
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
            let Beside { number, pass, attempt, .. } = self.beside.remove(at);
            drop(attempt);
            let ended = self.ended(number, Some(pass), result);
            if ended.is_some() {
                return ended;
            }
        }
        None
    }

    /// An attempt came to its own end: that of the round, or one of several. The first has no pass of its
    /// own.
    fn ended(
        &mut self,
        number: u32,
        pass: Option<Pass>,
        result: F::Output,
    ) -> Option<(C::Output, Option<Facts>)> {
        let facts = (self.judge)(result.as_result());
        match (self.race.end(end_of(facts, self.policy)), facts) {
            (Next::Wait, Some(facts)) => {
                self.failed(number, pass, facts, None, clock::now());
                None
            }
            (Next::Wait | Next::Commit, _) => {
                self.commit(number, pass);
                Some((C::ran(result), facts))
            }
        }
    }

    /// An attempt failed beside others. A server that asks for a wait is not to be sent more meanwhile.
    fn failed(
        &mut self,
        number: u32,
        pass: Option<Pass>,
        facts: Facts,
        cut: Option<Cut>,
        now: Moment,
    ) {
        if facts.classification.hint().is_some() {
            self.race.start_no_more();
        }
        self.cuts.failed_beside(self.call, pass, &facts, cut, now);
        self.call.fail_beside(number, facts, now);
    }

    /// The round is over: whoever is in flight is dropped, outside of its context.
    fn commit(&mut self, number: u32, pass: Option<Pass>) {
        let mut now = None;
        if let Some(pass) = pass {
            if self.first.is_some() {
                self.cuts.lost(self.call, None, &mut now);
            }
            self.cuts.decide_by(pass);
        }
        self.first.set(None);
        for Beside { pass, attempt, .. } in self.beside.drain(..) {
            self.cuts.lost(self.call, Some(pass), &mut now);
            drop(attempt);
        }
        self.call.settle_on(number);
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
        let timeout = self.call.site.timeout().filter(|_| !self.call.is_untimed());
        if self.call.never_hedges(self.policy) {
            self.race.start_no_more();
        }
        if timeout.is_none() && !self.race.has_turns() {
            return;
        }
        let now = clock::now();
        *self.ends = timeout.map_or(Moment::NEVER, |timeout| now.after(timeout));
        self.schedule(now);
    }

    /// The next hedge is to be considered after the site's delay, if that is known.
    fn schedule(&mut self, now: Moment) {
        let delay = self.race.has_turns().then(|| self.call.hedge_delay(now)).flatten();
        *self.delay = delay.unwrap_or(Duration::MAX);
        self.race.schedule(now.after(*self.delay));
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
        self.race.end(End::Final);
        let newest = self.beside.pop();
        Some(self.commit_cut(newest, cut, output))
    }

    /// Ends every attempt whose own time is over.
    fn cut_slow(&mut self, now: Moment) -> Option<(C::Output, Option<Facts>)> {
        if *self.ends <= now {
            *self.ends = Moment::NEVER;
            let ended = self.cut_one(None, now);
            if ended.is_some() {
                return ended;
            }
        }
        while let Some(at) = self.beside.iter().position(|beside| beside.ends <= now) {
            self.beside[at].ends = Moment::NEVER;
            let ended = self.cut_one(Some(at), now);
            if ended.is_some() {
                return ended;
            }
        }
        None
    }

    /// Ends the attempt that has this place beside the first, or the first.
    fn cut_one(&mut self, at: Option<usize>, now: Moment) -> Option<(C::Output, Option<Facts>)> {
        let cut = Cut::AttemptTimeout(AttemptTimeout::new());
        let output = self.cuts.cut(cut)?;
        let facts = facts_of(cut);
        let beside = at.map(|at| self.beside.remove(at));
        if self.race.end(end_of(Some(facts), self.policy)) == Next::Commit {
            return Some(self.commit_cut(beside, cut, output));
        }
        let first = &mut self.first;
        let (number, pass) = self.call.dropping_beside(|call| match beside {
            Some(Beside { number, pass, attempt, .. }) => {
                drop(attempt);
                (number, Some(pass))
            }
            None => {
                first.set(None);
                (call.ambient.attempt, None)
            }
        });
        self.failed(number, pass, facts, Some(cut), now);
        None
    }

    /// The round ends in a cut of the first attempt, or of one beside it; what else it drops is cut too.
    fn commit_cut(
        &mut self,
        beside: Option<Beside<F>>,
        cut: Cut,
        output: C::Output,
    ) -> (C::Output, Option<Facts>) {
        self.call.heat().set_cut(cut);
        self.call.phase = Phase::Cut;
        self.call.begin_dropping();
        let (number, pass) = match beside {
            Some(Beside { number, pass, attempt, .. }) => {
                drop(attempt);
                (number, Some(pass))
            }
            None => (self.call.ambient.attempt, None),
        };
        self.commit(number, pass);
        (output, None)
    }

    /// It is time to consider another attempt beside those in flight.
    #[cold]
    fn hedge(&mut self, now: Moment, task: &mut Context<'_>) -> Option<(C::Output, Option<Facts>)> {
        let delay = *self.delay;
        self.schedule(now);
        let pass = self.call.pay_hedge(self.policy, now, self.cuts)?;
        self.race.start();
        let number = self.call.start_hedge();
        if let Some(hook) = self.hook.as_mut() {
            let event = self.call.hedge_event(number, delay);
            self.call.call_hook(&event, hook);
        }
        let ends = self.call.ends_beside(self.policy, number, now);
        let at = self.beside.len();
        let attempt = Box::pin((self.attempt)());
        self.beside.push(Beside { number, pass, ends, attempt });
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
