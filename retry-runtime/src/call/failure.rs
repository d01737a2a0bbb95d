//! What a failed attempt leads to.

use std::time::Duration;

use crate::{
    Budget, Cut, FailedAttempt, Moment, Outcome, Policy, StopReason, Warning, Withdrawal, clock,
    context::OFF,
    few::Few,
    isolation,
    machine::{Decision, Facts, Machine, Situation},
    report::KEPT_FAILURES,
    side::{self, Debt, InnerFailure},
    site::Count,
    warning::warn,
};

use super::{
    Call, EARNS, MANY, Phase,
    cold::Armed,
    gate::{Gate, Outlook},
    jitter::Jitter,
    purse::Payers,
};

impl Call {
    /// An attempt failed: the delay if another follows. `keep` keeps the record of a call that is over.
    #[cold]
    pub(super) fn fail(
        &mut self,
        policy: &Policy,
        facts: Facts,
        keep: bool,
        gate: Option<&mut Gate>,
    ) -> Option<Duration> {
        let dropped = self.end_dropping();
        let now = clock::now();
        if self.site.is_blocking() {
            self.look_at_thread();
        }
        let unstarted = self.cold.as_ref().is_some_and(|cold| cold.is_unstarted());
        if !unstarted {
            let paid = self.cold.as_ref().and_then(|cold| cold.paid);
            self.count_failure(&facts, paid, now);
        }
        let mut inner = side::end_attempt(self.ambient.call(), self.started());
        if !dropped.is_empty() {
            inner.debts = dropped;
        }
        let cut = self.cold.as_ref().and_then(|cold| cold.cut());
        let outlook = gate.map_or(Outlook::UNKNOWN, |gate| gate.failed(self, &facts, cut, now));
        let decision = match (self.own_reason(), self.reason) {
            (Some(reason), _) | (None, Some(reason)) => Decision::Stop(reason),
            (None, None) => self.ask(policy, facts, now, &inner, outlook),
        };
        let delay = match decision {
            Decision::Retry(delay) => Some(delay),
            Decision::Stop(_) => None,
        };
        if !unstarted {
            self.report_failure(self.ambient.attempt, facts, delay);
        }
        match decision {
            Decision::Retry(delay) => {
                self.phase = Phase::Sleeping;
                if self.site.is_last_untimed() {
                    let last = self.started().saturating_add(1) >= self.limit(policy);
                    *self.heat().project().untimed = last;
                }
                if delay.is_zero() {
                    self.heat().set_armed(Armed::Yield);
                } else if self.site.is_blocking() {
                    let cold = self.heat().project();
                    (*cold.armed, *cold.ends) = (Armed::Thread, now.after(delay));
                } else {
                    self.heat().arm(Armed::Pause, now.after(delay));
                }
            }
            Decision::Stop(reason) => {
                self.stop(policy, facts, reason, now, inner);
                if !keep {
                    self.cold = None;
                }
            }
        }
        delay
    }

    /// An attempt has failed; `paid` if it was a retry.
    pub(super) fn count_failure(&self, facts: &Facts, paid: Option<Withdrawal>, now: Moment) {
        self.site.state().add(Count::Failures);
        if let Some(budget) = self.budget().filter(|budget| budget.wants_failures()) {
            if self.is(EARNS) {
                budget.note_failure(&facts.classification, paid, now);
            }
            budget.release(paid);
        }
    }

    /// So that the report tells of it, if anybody listens.
    pub(super) fn report_failure(&mut self, number: u32, facts: Facts, delay: Option<Duration>) {
        if self.ambient.scope() == 0 {
            return;
        }
        let failures = &mut self.heat().rare().failures;
        if failures.len() < KEPT_FAILURES {
            let Facts { classification, label } = facts;
            failures.push(FailedAttempt { number, classification, label, delay });
        }
    }

    /// The reason that a cut brings along: a passed deadline is final, an attempt's timeout is a
    /// failure like others.
    fn own_reason(&self) -> Option<StopReason> {
        match self.cold.as_ref()?.cut()? {
            Cut::DeadlineExceeded(_) => Some(self.reason.unwrap_or(StopReason::DeadlineExceeded)),
            Cut::BreakerOpen(_) => Some(StopReason::BreakerOpen),
            Cut::AttemptTimeout(_) => None,
        }
    }

    fn ask(
        &mut self,
        policy: &Policy,
        facts: Facts,
        now: Moment,
        inner: &InnerFailure,
        outlook: Outlook,
    ) -> Decision {
        let facts = self.with_wait(facts, now);
        #[cfg(feature = "adaptive")]
        let adapted = self.adapt(policy, now);
        #[cfg(feature = "adaptive")]
        let policy = adapted.as_ref().map_or(policy, |(policy, _)| policy);
        let situation = self.situation(policy, now, &inner.debts, outlook);
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
        let decision = machine.decide(&facts, &situation, &mut jitter, &mut payers);
        if let Decision::Retry(_) = decision {
            let (own, others) = payers.into_paid();
            let cold = self.heat().project();
            (*cold.machine, *cold.stream, *cold.paid) = (machine, stream, own);
            if !others.is_empty() {
                self.heat().rare().paid_inner = others;
            }
            #[cfg(feature = "adaptive")]
            if let Some((_, decision)) = adapted {
                self.heat().rare().adaptive = Some(decision);
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
            attempt: self.started(),
            allowed: self.allowed(),
            now,
            deadline: self.ambient.deadline,
            off: self.is_off(debts),
            nesting: self.nesting(),
            expected: outlook.expected,
            breaker_open: outlook.breaker_open,
        }
    }

    /// How many attempts have started.
    pub(super) fn started(&self) -> u32 {
        let beside = self.cold.as_ref().map_or(0, |cold| cold.beside());
        self.ambient.attempt.saturating_add(beside)
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

    /// Whether a retry is switched off: here, or in a budget that it would be paid from.
    fn is_off(&self, debts: &Few<Debt>) -> bool {
        self.ambient.has(OFF)
            || isolation::is_off()
            || self.site.state().is_off()
            || self.budget().is_some_and(Budget::is_off_upwards)
            || debts.iter().any(|(budget, _)| budget.is_off_upwards())
    }

    fn stop(
        &mut self,
        policy: &Policy,
        facts: Facts,
        reason: StopReason,
        now: Moment,
        inner: InnerFailure,
    ) {
        self.phase = Phase::Done;
        self.reason = Some(reason);
        let state = self.site.state();
        state.stopped(reason);
        let cut = self.cold.as_ref().is_some_and(|cold| cold.cut().is_some());
        if !cut && facts.classification.is_answer() && self.is(EARNS) {
            if let Some(budget) = self.budget() {
                budget.deposit();
            }
        }
        match reason {
            // Past the deadline a repeat would not have followed anyway.
            StopReason::MaybeExecuted
                if now < self.ambient.deadline && !self.outer_repeats() && state.warns() =>
            {
                warn(Warning::MaybeExecuted { site: self.site.name() });
            }
            StopReason::Disabled => {
                if let Err(fault) = policy.check() {
                    warn(Warning::FaultyPolicy { site: self.site.name(), fault });
                }
            }
            _ => {}
        }
        if let Some(budget) = self.budget() {
            budget.end_call(None);
        }
        self.tell_outer(facts, reason, inner);
        self.close(Outcome::Failed, Some(reason), false);
    }

    #[cold]
    pub(super) fn hook_panicked(&self, hook: &'static str) {
        self.site.state().add(Count::HookPanics);
        warn(Warning::HookPanicked { site: self.site.name(), hook });
    }
}
