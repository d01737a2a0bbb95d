//! What time does to a round: hedges that start, attempts that take too long, and the deadline.

use std::{future::Future, task::Context, time::Duration};

use crate::{
    AttemptTimeout, Cut, DeadlineExceeded, Moment, RetryEvent, clock, context,
    hedge::{End as RaceEnd, Next},
    machine::Facts,
    run::Operation,
    site::Count,
};

use super::{
    super::{Call, Cuts, Fallible, Passes, Phase, cold::facts_of, hedging::Ending},
    Beside, End, ErrorOf, Flight, ResultOf, Round,
    round::end_of,
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
    /// Waits for whatever comes first.
    pub(super) fn poll_timer(&mut self, task: &mut Context<'_>) -> Option<End<F, C>> {
        if !*self.timing.waited {
            *self.timing.waited = true;
            self.wait_first();
        }
        loop {
            let next = self.next_moment();
            if next == Moment::NEVER {
                return None;
            }
            if *self.timing.armed != next {
                *self.timing.armed = next;
                self.call.heat().set_timer(next);
            }
            if self.call.heat().poll_timer(task).is_pending() {
                return None;
            }
            *self.timing.armed = Moment::NEVER;
            let now = clock::now().max(next);
            let mut ended = self.cut_at_deadline(now);
            if ended.is_none() {
                ended = self.cut_slow(now);
            }
            if ended.is_none() && self.timing.race.take_turn(now) {
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
        let timeout = self
            .call
            .timeout_in_force(self.cuts.timeout(self.call.site))
            .filter(|_| !self.call.is_untimed());
        if !self.attempt.is_repeatable() || self.call.never_hedges(self.policy) {
            self.timing.race.start_no_more();
        }
        if timeout.is_none() && !self.timing.race.has_turns() {
            return;
        }
        let now = clock::now();
        *self.timing.ends = timeout.map_or(Moment::NEVER, |timeout| now.after(timeout));
        self.schedule(now);
    }

    /// The next hedge is to be considered after the site's delay, if that is known.
    fn schedule(&mut self, now: Moment) {
        let known = || self.after.or_else(|| self.call.hedge_delay(now));
        let delay = self.timing.race.has_turns().then(known).flatten();
        *self.timing.delay = delay.unwrap_or(Duration::MAX);
        self.timing.race.schedule(now.after(*self.timing.delay));
    }

    /// When something is to be done, if nothing ends before.
    fn next_moment(&self) -> Moment {
        let deadline =
            if *self.timing.cuts_at_deadline { self.call.ambient.deadline } else { Moment::NEVER };
        let ends = self.beside.iter().map(|beside| beside.ends);
        ends.fold((*self.timing.ends).min(deadline).min(self.timing.race.due()), Moment::min)
    }

    fn cut_at_deadline(&mut self, now: Moment) -> Option<End<F, C>> {
        if !*self.timing.cuts_at_deadline || now < self.call.ambient.deadline {
            return None;
        }
        *self.timing.cuts_at_deadline = false;
        let cut = Cut::DeadlineExceeded(DeadlineExceeded::new());
        let Some(output) = self.cuts.cut(cut) else {
            // The error type cannot express it: what is in flight goes on.
            self.call.site.state().add(Count::Uncut);
            return None;
        };
        self.timing.race.end(RaceEnd::Final);
        let newest = self.beside.pop();
        let flight = newest.as_ref().map_or(*self.timing.began, |newest| newest.flight.began);
        self.call.took(flight, Ending::Dropped, &mut Some(now));
        Some(self.commit_cut(newest, cut, output, now))
    }

    /// Ends every attempt whose own time is over.
    fn cut_slow(&mut self, now: Moment) -> Option<End<F, C>> {
        if *self.timing.ends <= now {
            *self.timing.ends = Moment::NEVER;
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
    fn cut_one(&mut self, at: Option<usize>, now: Moment) -> Option<End<F, C>> {
        let cut = Cut::AttemptTimeout(AttemptTimeout::new());
        let output = self.cuts.cut(cut)?;
        let facts = facts_of(cut);
        let beside = at.map(|at| self.beside.remove(at));
        let began = beside.as_ref().map_or(*self.timing.began, |beside| beside.flight.began);
        self.call.took(began, Ending::TimedOut, &mut Some(now));
        if self.timing.race.end(end_of(Some(facts), self.policy)) == Next::Commit {
            return Some(self.commit_cut(beside, cut, output, now));
        }
        let flight = self.drop_cut(beside, |call, dropping| call.dropping_beside(dropping));
        self.failed(flight, facts, Some(cut), now);
        None
    }

    /// The round ends in a cut of the first attempt, or of one beside it; what else it drops is cut too.
    fn commit_cut(
        &mut self,
        beside: Option<Beside<F>>,
        cut: Cut,
        output: C::Output,
        now: Moment,
    ) -> End<F, C> {
        self.call.heat().set_cut(cut);
        self.call.phase = Phase::Cut;
        let flight = self.drop_cut(beside, |call, dropping| {
            call.begin_dropping();
            dropping();
        });
        self.commit(flight, &mut Some(now));
        (output, None)
    }

    /// Drops an attempt beside the first, or the first.
    fn drop_cut(
        &mut self,
        beside: Option<Beside<F>>,
        dropping: impl FnOnce(&mut Call, &mut dyn FnMut()),
    ) -> Flight {
        let (flight, mut attempt) = match beside {
            Some(Beside { flight, attempt, .. }) => (flight, Some(attempt)),
            None => (self.first(), None),
        };
        let first = &mut self.first;
        dropping(self.call, &mut || match attempt.take() {
            Some(attempt) => drop(attempt),
            None => first.set(None),
        });
        flight
    }

    /// It is time to consider another attempt beside those in flight.
    #[cold]
    fn hedge(&mut self, now: Moment, task: &mut Context<'_>) -> Option<End<F, C>> {
        let delay = *self.timing.delay;
        self.schedule(now);
        let (pass, paid) = self.call.pay_hedge(self.policy, now, self.gate)?;
        self.timing.race.start();
        let number = self.call.start_hedge(paid);
        let event = self.call.hedge_event(number, delay);
        self.call.call_hook(&event, &mut *self.hook);
        let timeout = self.call.timeout_in_force(self.cuts.timeout(self.call.site));
        let ends = self.call.ends_beside(self.policy, number, timeout, now);
        let at = self.beside.len();
        let turn = self.call.turn(self.policy);
        let attempt = {
            let _entered = context::enter(&self.call.beside(number));
            let _others_follow = self.attempt.prepare(turn);
            Box::pin(self.attempt.start(turn))
        };
        let began = self.call.starts();
        let flight = Flight { number, pass: Some(pass), began };
        self.beside.push(Beside { flight, ends, attempt });
        self.poll_beside(at, task)
    }
}
