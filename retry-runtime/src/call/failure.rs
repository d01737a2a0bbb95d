//! What a failed attempt leads to.

use std::time::Duration;

use crate::{
    Cut, FailedAttempt, Moment, Outcome, Policy, StopReason, Warning, Withdrawal, clock, control,
    machine::{Adjust, Decision, Facts},
    report::KEPT_FAILURES,
    side::{self, InnerFailure},
    site::Count,
    warning::warn,
};

use super::{
    Call, EARNS, Phase,
    cold::Armed,
    gate::{Gate, Outlook},
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
        adjust: Option<&mut Adjust<'_>>,
    ) -> Option<Duration> {
        let dropped = self.end_dropping();
        let now = clock::now();
        control::expire(now);
        let patch = self.patch(now);
        let patched = patch.as_ref().map(|patch| patch.policy(policy));
        let policy = patched.as_ref().unwrap_or(policy);
        let stops = patch.is_some_and(|patch| {
            patch.is_off() || patch.stops(facts.classification.kind(), facts.label)
        });
        if self.site.is_blocking() {
            self.look_at_thread();
        }
        let unstarted = self.cold.as_ref().is_some_and(|cold| cold.is_unstarted());
        if !unstarted {
            let paid = self.cold.as_ref().and_then(|cold| cold.paid);
            let label = self.count_failure(&facts, paid, now);
            self.tell_failure(self.ambient.attempt(), &Facts { label, ..facts }, now);
        }
        let mut inner = side::end_attempt(self.ambient.call(), self.started());
        if !dropped.is_empty() {
            inner.debts = dropped;
        }
        let cut = self.cold.as_ref().and_then(|cold| cold.cut());
        let outlook = gate.map_or(Outlook::UNKNOWN, |gate| gate.failed(self, &facts, cut, now));
        let decision = match (self.own_reason(), self.reason) {
            (Some(reason), _) | (None, Some(reason)) => Decision::Stop(reason),
            (None, None) => self.ask(policy, facts, now, &inner, outlook, stops, adjust),
        };
        let delay = match decision {
            Decision::Retry(delay) => Some(delay),
            Decision::Stop(_) => None,
        };
        if !unstarted {
            self.report_failure(self.ambient.attempt(), facts, delay);
        }
        match decision {
            Decision::Retry(delay) => {
                self.tell_retry(&facts, delay, now);
                self.phase = Phase::Sleeping;
                if self.site.is_last_untimed() {
                    let last = self.started().saturating_add(1) >= self.limit(policy);
                    *self.heat().project().untimed = last;
                }
                let yields = delay.is_zero();
                #[cfg(feature = "testing")]
                let yields = yields || !self.site.is_blocking() && crate::isolation::skips_delays();
                if yields {
                    self.heat().set_armed(Armed::Yield);
                } else if self.site.is_blocking() {
                    let cold = self.heat().project();
                    (*cold.armed, *cold.ends) = (Armed::Thread, now.after(delay));
                } else {
                    self.heat().arm(Armed::Pause, now.after(delay));
                }
            }
            Decision::Stop(reason) => {
                self.stop(policy, facts, reason, outlook, now, inner);
                if !keep {
                    self.cold = None;
                }
            }
        }
        delay
    }

    /// An attempt has failed; `paid` if it was a retry. Under this label it is counted.
    pub(super) fn count_failure(
        &self,
        facts: &Facts,
        paid: Option<Withdrawal>,
        now: Moment,
    ) -> &'static str {
        let label = self.site.state().failed(facts);
        if let Some(budget) = self.budget().filter(|budget| budget.wants_failures()) {
            if self.is(EARNS) {
                budget.note_failure(&facts.classification, paid, now);
            }
            budget.release(paid);
        }
        label
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

    fn stop(
        &mut self,
        policy: &Policy,
        facts: Facts,
        reason: StopReason,
        outlook: Outlook,
        now: Moment,
        inner: InnerFailure,
    ) {
        self.phase = Phase::Done;
        self.reason = Some(reason);
        self.tell_refusal(reason, outlook.open, now);
        let state = self.site.state();
        let label = state.stopped_at(&facts, reason);
        if self.started() > 1 {
            state.add(Count::FailedAfterRetry);
        }
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
        self.tell_stop(reason, &Facts { label, ..facts }, now);
        self.close(Outcome::Failed, Some(reason), false);
    }

    #[cold]
    pub(super) fn hook_panicked(&self, hook: &'static str) {
        self.site.state().add(Count::HookPanics);
        warn(Warning::HookPanicked { site: self.site.name(), hook });
    }
}
