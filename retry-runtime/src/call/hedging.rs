//! What a call does about attempts that run side by side.

use std::time::Duration;

use crate::{
    Classification, Hint, Moment, Policy, RetryEvent, Withdrawal, clock,
    context::{Ambient, REPEATING, SUPPRESS},
    hedge::{self, Hedge, HedgeDelay},
    isolation,
    machine::{Facts, Nesting},
    side,
    site::Count,
};

use super::{Call, Passes, gate::read, passes::Pass, purse::Payers};

/// The label of a hedge's event.
const HEDGE: &str = "hedge";

/// The timer's resolution.
const RESOLUTION: Duration = Duration::from_millis(1);

/// How an attempt came to its end, for what remembers how long attempts take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The dependency answered.
    Answered,
    /// It failed otherwise.
    Failed,
    /// Its own timeout was over.
    TimedOut,
    /// Another attempt was faster, or the deadline passed: it would have taken longer.
    Dropped,
}

impl Ending {
    pub(super) const fn of(facts: Option<&Facts>) -> Self {
        match facts {
            Some(facts) if !facts.classification.is_answer() => Self::Failed,
            Some(_) | None => Self::Answered,
        }
    }
}

impl Call {
    /// When an attempt starts, if that is remembered; `NEVER` if not.
    #[inline]
    pub(super) fn starts(&self) -> Moment {
        let hedge = self.site.hedges().is_some_and(|hedge| hedge.latency().is_some());
        if hedge || self.site.latency().is_some() { clock::now() } else { Moment::NEVER }
    }

    /// When the first attempt of a round starts, if that is remembered; `NEVER` if not.
    pub(crate) fn round_begins(&self) -> Moment {
        self.starts()
    }

    /// Remembers how long an attempt took that started then.
    pub(super) fn took(&self, started: Moment, ending: Ending, now: &mut Option<Moment>) {
        if started == Moment::NEVER {
            return;
        }
        let now = read(now);
        let took = started.until(now);
        // A backoff goes by how long whatever came of the attempt took.
        if let Some(latency) = self.site.latency().filter(|_| ending != Ending::Dropped) {
            latency.record(took, now);
        }
        // A hedge goes by the dependency's answers. What was not waited for to its end is worth knowing if
        // it has taken as long as usual already, and else would only pretend haste.
        let cut = matches!(ending, Ending::TimedOut | Ending::Dropped);
        if ending == Ending::Failed || cut && self.usual(now).is_some_and(|usual| took < usual) {
            return;
        }
        if let Some(latency) = self.site.hedges().and_then(Hedge::latency) {
            isolation::latency(latency).record(took, now);
        }
    }

    /// After how long without an answer the site hedges, where that is a part of its own latency and known.
    fn usual(&self, now: Moment) -> Option<Duration> {
        match self.site.hedges().map(Hedge::delay)? {
            HedgeDelay::Quantile(quantile, latency) => {
                isolation::latency(latency).quantile(quantile, now)
            }
            HedgeDelay::After(_) => None,
        }
    }

    /// Whether hedges would be refused whatever comes.
    pub(super) fn never_hedges(&self, policy: &Policy) -> bool {
        !policy.is_idempotent() || self.nesting() != Nesting::Free
    }

    /// After how long without an answer a hedge is considered, if that is known.
    pub(super) fn hedge_delay(&self, now: Moment) -> Option<Duration> {
        match self.site.hedges()?.delay() {
            HedgeDelay::After(delay) => Some(delay),
            // Not less than the timer can tell.
            HedgeDelay::Quantile(..) => self.usual(now).map(|usual| usual.max(RESOLUTION)),
        }
    }

    /// Whether a hedge may start now; then it is paid for, and has its pass. It repeats what suppressed
    /// calls inside the attempts in flight did, so that those that have failed are paid for as in a retry.
    #[cold]
    pub(super) fn pay_hedge(
        &self,
        policy: &Policy,
        now: Moment,
        gate: &mut impl Passes,
    ) -> Option<(Pass, Option<Withdrawal>)> {
        let patched = self.patch(now).map(|patch| patch.policy(policy));
        let policy = patched.as_ref().unwrap_or(policy);
        let debts = side::debts(self.ambient.call());
        let situation = self.situation(policy, now, &debts, gate.outlook(self, now));
        let mut payers = Payers::new(self.budget(), &debts, self.started(), now);
        hedge::decide(&situation, &mut payers).ok()?;
        let Some(pass) = gate.admit_beside(self, now) else {
            payers.give_back();
            return None;
        };
        // Two requests were made, whoever answers first: the second is not for nothing.
        Some((pass, payers.into_paid().0.map(Withdrawal::without_refund)))
    }

    /// When an attempt that starts now beside others is to end by its own timeout.
    pub(super) fn ends_beside(
        &self,
        policy: &Policy,
        number: u32,
        timeout: Option<Duration>,
        now: Moment,
    ) -> Moment {
        let untimed = self.site.is_last_untimed() && number >= self.limit(policy);
        let timeout = timeout.filter(|_| !untimed);
        timeout.map_or(Moment::NEVER, |timeout| now.after(timeout))
    }

    /// An attempt starts beside those in flight, paid for with this: its number.
    pub(super) fn start_hedge(&mut self, paid: Option<Withdrawal>) -> u32 {
        let number = self.started().saturating_add(1);
        let rare = self.heat().rare();
        rare.beside = rare.beside.saturating_add(1);
        if let Some(paid) = paid {
            rare.paid_beside.push((number, paid));
        }
        let state = self.site.state();
        state.add(Count::Retries);
        state.add(Count::Hedges);
        self.tell_start(true);
        self.started()
    }

    /// What `on_retry` is told of a hedge that starts after `delay`.
    pub(super) fn hedge_event<'a, E>(&self, number: u32, delay: Duration) -> RetryEvent<'a, E> {
        RetryEvent {
            site: self.site.name(),
            error: None,
            attempt: number.saturating_sub(1),
            delay,
            classification: Classification::timeout(),
            label: HEDGE,
            hedge: true,
            #[cfg(feature = "adaptive")]
            adaptive: None,
        }
    }

    /// What an attempt beside the running one sees: the same, but for its number. The first of a round is
    /// the running one.
    pub(super) const fn beside(&self, number: u32) -> Ambient {
        let ambient = self.ambient.at_attempt(number);
        if ambient.has(SUPPRESS) {
            ambient.with_flags(ambient.flags() | REPEATING)
        } else {
            ambient
        }
    }

    /// An attempt failed while others are in flight, which may make up for it: whether there may be no more
    /// failures of its class.
    #[cold]
    pub(super) fn fail_beside(&mut self, number: u32, facts: Facts, now: Moment) -> bool {
        let paid = self.take_paid(number);
        self.count_failure(&facts, paid, now);
        self.tell_failure_beside(number, &facts, now);
        self.report_failure(number, facts, None);
        if let Some(Hint::RetryAfter(wait)) = facts.classification.hint() {
            let rare = self.heat().rare();
            rare.not_before = rare.not_before.max(now.after(wait));
        }
        self.heat().project().machine.is_capped_by(&facts)
    }

    /// A failure, with the wait that a server asked of an attempt beside this one: whoever it asked, it is
    /// not to be asked again before.
    pub(super) fn with_wait(&mut self, mut facts: Facts, now: Moment) -> Facts {
        let rare = self.cold.as_mut().and_then(|cold| cold.as_mut().known_rare());
        let wait = rare.map_or(Duration::ZERO, |rare| now.until(rare.not_before));
        let asked = match facts.classification.hint() {
            Some(Hint::RetryAfter(own)) => own,
            Some(Hint::DoNotRetry) => return facts,
            None => Duration::ZERO,
        };
        if wait > asked {
            facts.classification = facts.classification.retry_after(wait);
        }
        facts
    }
}
