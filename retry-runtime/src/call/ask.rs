//! What a decision depends on, and the decision.

use std::time::Duration;

use crate::{
    Budget, Moment, Policy, StopReason, Warning, clock,
    context::{LAST_ATTEMPT, OFF},
    control::{self, Patch},
    few::Few,
    isolation,
    machine::{Adjust, Decision, Facts, Machine, Nesting, Situation},
    run::Turn,
    side::{Debt, InnerFailure},
    timer,
    warning::warn,
};

use super::{Call, MANY, gate::Outlook, jitter::Jitter, purse::Payers};

impl Call {
    /// What follows a failure; if another attempt, it is paid for. `overruled` if an override says that this
    /// failure is not to be retried.
    #[expect(clippy::too_many_arguments, reason = "each is known to the one caller alone")]
    pub(super) fn ask(
        &mut self,
        policy: &Policy,
        facts: Facts,
        now: Moment,
        inner: &InnerFailure,
        outlook: Outlook,
        overruled: bool,
        adjust: Option<&mut Adjust<'_>>,
    ) -> Decision {
        let facts = self.with_wait(facts, now);
        #[cfg(feature = "adaptive")]
        let adapted = self.adapt(policy, now);
        #[cfg(feature = "adaptive")]
        let policy = adapted.as_ref().map_or(policy, |(policy, _)| policy);
        let mut situation = self.situation(policy, now, &inner.debts, outlook);
        situation.off |= overruled;
        let own = self.budget();
        if let Some((budget, Some(fault))) = own.map(|budget| (budget, budget.fault())) {
            let (site, budget) = (self.site.name(), budget.name().to_owned());
            warn(Warning::FaultyBudget { site, budget, fault });
        }
        // A call that stops at its first failure needs no box.
        let (mut machine, mut stream) = match self.cold.as_mut() {
            Some(cold) => {
                let cold = cold.as_mut().project();
                (std::mem::take(cold.machine), *cold.stream)
            }
            None => (Machine::new(), None),
        };
        let mut jitter = Jitter::new(&mut stream, situation.attempt.saturating_sub(1));
        let mut payers = Payers::new(own, &inner.debts, situation.attempt, now);
        let decision =
            machine.decide_adjusted(&facts, &situation, &mut jitter, &mut payers, adjust);
        if let Decision::Retry(delay) = decision {
            if !delay.is_zero() && !timer::can_wait(self.site.is_blocking()) {
                payers.give_back();
                warn(Warning::NoTimer { site: self.site.name() });
                return Decision::Stop(StopReason::Disabled);
            }
            let (own, others) = payers.into_paid();
            let cold = self.heat().project();
            (*cold.machine, *cold.stream, *cold.paid) = (machine, stream, own);
            if !others.is_empty() {
                self.heat().rare().paid_inner = others;
            }
            #[cfg(feature = "adaptive")]
            if let Some((_, decision)) = adapted {
                self.heat().rare().adaptive = Some(Box::new(decision));
            }
        }
        decision
    }

    /// What a decision now depends on, besides a failure.
    pub(super) fn situation<'a>(
        &self,
        policy: &'a Policy,
        now: Moment,
        debts: &Few<Debt>,
        outlook: Outlook,
    ) -> Situation<'a> {
        Situation {
            policy,
            attempt: self.counted(),
            allowed: self.allowed(),
            now,
            #[cfg(not(feature = "testing"))]
            deadline: self.ambient.deadline,
            // What a test has left out counts as if it had been slept.
            #[cfg(feature = "testing")]
            deadline: isolation::brought_forward(self.ambient.deadline, || self.has_slept()),
            off: self.is_off(debts),
            nesting: self.nesting(),
            expected: outlook.expected,
            breaker_open: outlook.open.is_some(),
        }
    }

    /// How many attempts count against the limits. What cannot be told any more is over each of them.
    fn counted(&self) -> u32 {
        match self.started() {
            LAST_ATTEMPT => u32::MAX - 1,
            started => started,
        }
    }

    /// How many attempts have started, as far as that can be told.
    pub(super) fn started(&self) -> u32 {
        let beside = self.cold.as_ref().map_or(0, |cold| cold.beside());
        self.ambient.attempt().saturating_add(beside).min(LAST_ATTEMPT)
    }

    /// The most attempts for which there was time at the start.
    fn allowed(&self) -> u32 {
        match (self.allowed, &self.cold) {
            (MANY, Some(cold)) => cold.allowed(),
            (MANY, None) => u32::MAX,
            (few, _) => few.into(),
        }
    }

    /// The most attempts that there can be, whatever comes of them.
    pub(super) fn limit(&self, policy: &Policy) -> u32 {
        policy.max_attempts().unwrap_or(u32::MAX).min(self.allowed())
    }

    /// The attempt that is starting.
    #[inline]
    pub(crate) fn turn(&self, policy: &Policy) -> Turn {
        let number = self.started();
        // A suppressed call repeats nothing but what may have been executed, and what nobody else repeats.
        let suppressed = match self.nesting() {
            Nesting::Free => false,
            Nesting::Suppressed { outer_idempotent } => outer_idempotent || !policy.is_idempotent(),
        };
        let last = suppressed
            || self.is_last(number, policy)
            || self.is_off(&Few::new())
            || policy.check().is_err();
        Turn { number, last }
    }

    /// Whether no attempt follows this one, by its number. An override may allow more than the policy does, and
    /// is asked where the policy says that it is the last.
    #[inline]
    fn is_last(&self, number: u32, policy: &Policy) -> bool {
        let limit = self.limit(policy);
        limit != u32::MAX && number >= limit && !self.is_followed(number, policy)
    }

    #[cold]
    fn is_followed(&self, number: u32, policy: &Policy) -> bool {
        control::is_patched()
            && self
                .patch(clock::now())
                .is_some_and(|patch| number < self.limit(&patch.policy(policy)))
    }

    /// What overrides say about the call.
    pub(super) fn patch(&self, now: Moment) -> Option<Patch> {
        if control::is_patched() { control::patch(self.site, self.budget(), now) } else { None }
    }

    /// After how long an attempt is ended: what an override says, or else the site or the call.
    pub(super) fn timeout_in_force(&self, own: Option<Duration>) -> Option<Duration> {
        if !control::is_patched() {
            return own;
        }
        self.patch(clock::now()).and_then(|patch| patch.attempt_timeout()).or(own)
    }

    /// Whether a retry is switched off: here, or in a budget that it would be paid from.
    fn is_off(&self, debts: &Few<Debt>) -> bool {
        self.ambient.has(OFF)
            || isolation::is_off()
            || self.site.state().is_off()
            || self.budget().is_some_and(Budget::is_off_upwards)
            || debts.iter().any(|(budget, _)| budget.is_off_upwards())
    }
}
