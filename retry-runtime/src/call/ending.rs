//! How a call ends, other than by a failure that stops it.

use std::time::Duration;

use crate::{
    CallReport, Cut, Outcome, RetryError, StopReason, context, isolation, report, side, site::Count,
};

use super::{Call, Phase, failure::lost};

impl Call {
    /// The end of a call that succeeded after a failure, in a report, or while the table has entries.
    #[cold]
    pub(super) fn succeed_cold(&mut self) {
        let inner = side::end_attempt(self.ambient.call);
        lost(&inner.unretried, self.site);
        let state = self.site.state();
        if self.ambient.attempt > 1 {
            state.add(Count::Recovered);
        } else if isolation::counting() {
            state.add(Count::AtOnce);
        }
        self.close(Outcome::Succeeded, None);
    }

    /// The future was dropped, or the body panicked.
    #[cold]
    pub(super) fn abandon(&mut self) {
        // A future may be dropped anywhere, such as by a runtime that aborts its task; the call still
        // counts where it belongs.
        let _entered = context::enter(self.ambient);
        let sleeping = self.phase == Phase::Sleeping;
        self.phase = Phase::Done;
        if let Some(cold) = self.cold.as_mut().filter(|_| sleeping) {
            cold.as_mut().project().paid.give_back();
        }
        let state = self.site.state();
        if std::thread::panicking() {
            state.add(Count::Panics);
            self.close(Outcome::Panicked, None);
        } else {
            state.stopped(StopReason::Cancelled);
            self.close(Outcome::Cancelled, Some(StopReason::Cancelled));
        }
    }

    /// Takes the call out of the side table and files its report.
    pub(super) fn close(&mut self, outcome: Outcome, reason: Option<StopReason>) {
        if side::attention() {
            side::end_call(self.ambient.call);
        }
        if self.ambient.scope() == 0 {
            return;
        }
        let mut report = CallReport {
            site: self.site.name(),
            attempts: self.ambient.attempt,
            slept: Duration::ZERO,
            outcome,
            reason,
            failures: Vec::new(),
        };
        if let Some(cold) = self.cold.as_mut() {
            let cold = cold.as_mut().project();
            report.slept = *cold.slept;
            report.failures = std::mem::take(cold.failures);
            if *cold.unstarted {
                report.attempts = 0;
            }
        }
        report::file(self.ambient.scope(), &report);
    }

    #[cold]
    pub(super) fn retry_error<E>(&mut self, error: Option<E>, cut: Option<Cut>) -> RetryError<E> {
        let attempt = self.ambient.attempt;
        let cold = self.heat().project();
        let attempts = if *cold.unstarted { 0 } else { attempt };
        let reason = cold.reason.unwrap_or(StopReason::AttemptsExhausted);
        RetryError::new(error, cut, attempts, *cold.slept, reason)
    }
}
