//! How a call ends, other than by a failure that stops it.

use std::time::Duration;

use crate::{
    CallReport, Cut, Outcome, RetryError, StopReason,
    budget::Price,
    context::{self, SUPPRESS},
    isolation, report, side,
    site::Count,
};

use super::{Call, Phase, dropped, outer::lost};

impl Call {
    /// The end of a call that succeeded after a failure, in a report, or while the table has entries.
    #[cold]
    pub(super) fn succeed_cold(&mut self) {
        self.phase = Phase::Done;
        let inner = side::end_attempt(self.ambient.call(), self.started());
        lost(&inner.unretried, self.site);
        let state = self.site.state();
        if self.ambient.attempt() > 1 {
            state.add(Count::Recovered);
        } else if isolation::counting() {
            state.add(Count::AtOnce);
        }
        self.tell_success();
        self.close(Outcome::Succeeded, None, false);
        self.cold = None;
    }

    /// The future was dropped, or the body panicked.
    #[cold]
    pub(super) fn abandon(&mut self) {
        self.end_dropping();
        let started = !self.phase.is_unstarted();
        let own = self.budget().filter(|_| started).map(|budget| (budget, Price::ONE));
        let failed_inside = side::end_attempt(self.ambient.call(), self.started()).debts;
        let outer = self.is(SUPPRESS).then_some(self.outer);
        dropped::pass_on(self.ambient.call_half(), own.into_iter().chain(failed_inside), outer);
        // A future may be dropped anywhere, such as by a runtime that aborts its task; the call still
        // counts where it belongs.
        let _entered = context::enter(&self.ambient);
        let phase = std::mem::replace(&mut self.phase, Phase::Done);
        let waited = matches!(phase, Phase::Sleeping | Phase::Due);
        if waited {
            self.give_back();
        }
        if let Some(budget) = self.budget() {
            self.release_beside(budget);
            let running = self.cold.as_ref().and_then(|cold| cold.paid);
            budget.end_call(running);
        }
        // A sibling's panic drops this call like any other; its own unwinds through it.
        let own = phase.is_unstarted() || matches!(phase, Phase::Polling | Phase::Cut | Phase::Due);
        let own_panic = own && std::thread::panicking();
        let state = self.site.state();
        if self.started() > 1 {
            state.add(Count::FailedAfterRetry);
        }
        if own_panic {
            state.add(Count::Panics);
            self.tell_panic(phase);
            self.close(Outcome::Panicked, None, phase.is_unstarted());
        } else {
            state.stopped(StopReason::Cancelled);
            self.tell_cancelled(phase);
            let reason = Some(StopReason::Cancelled);
            self.close(Outcome::Cancelled, reason, phase.is_unstarted());
        }
    }

    /// Takes the call out of the side table and files its report.
    pub(super) fn close(&mut self, outcome: Outcome, reason: Option<StopReason>, unstarted: bool) {
        side::end_call(self.ambient.call());
        if self.ambient.scope() == 0 {
            return;
        }
        let mut report = CallReport {
            site: self.site.name(),
            attempts: if unstarted { 0 } else { self.started() },
            slept: Duration::ZERO,
            outcome,
            reason,
            failures: Vec::new(),
        };
        if let Some(cold) = self.cold.as_mut() {
            report.slept = cold.slept();
            if cold.unstarted {
                report.attempts = 0;
            }
            if let Some(rare) = cold.as_mut().known_rare() {
                report.failures = std::mem::take(&mut rare.failures);
            }
        }
        report::file(self.ambient.scope(), &report);
    }

    #[cold]
    pub(super) fn retry_error<E>(&mut self, error: Option<E>, cut: Option<Cut>) -> RetryError<E> {
        let attempt = self.started();
        let reason = self.reason.unwrap_or(StopReason::AttemptsExhausted);
        let (unstarted, slept) = match &self.cold {
            Some(cold) => (cold.unstarted, cold.slept()),
            None => (false, Duration::ZERO),
        };
        let attempts = if unstarted { 0 } else { attempt };
        let error = RetryError::new(error, cut, attempts, slept, reason);
        self.cold = None;
        error
    }
}
