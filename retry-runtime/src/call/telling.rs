//! What a call tells those who observe or trace it.
//!
//! Each of these asks first whether anybody does, and stands where a call does more than it must anyway: where
//! an attempt failed, where another one starts, and where there is something to look for at a call's end.

use crate::{
    BreakerOpen, Cut, Hint, Moment, StopReason, What, clock,
    event::{self, Origin},
    machine::Facts,
};
use std::time::Duration;

use super::{Call, Phase, watch::Watch};

impl Call {
    fn emit(&mut self, at: Moment, attempt: u32, what: What) {
        let origin = self.origin(attempt);
        self.tell_traced(&origin, &what);
        if event::is_wanted() {
            event::emit(at, Some(origin), what);
        }
    }

    pub(super) fn origin(&self, attempt: u32) -> Origin {
        Origin { site: self.site, budget: self.budget(), call: self.ambient.call(), attempt }
    }

    fn watch(&mut self) -> &mut Watch {
        self.heat().rare().watch.get_or_insert_with(|| Box::new(Watch::new()))
    }

    /// How many attempts the call has made, where its first may have been kept from starting.
    fn made(&self, phase: Phase) -> u32 {
        let kept = self.cold.as_ref().is_some_and(|cold| cold.unstarted);
        if kept || phase.is_unstarted() { 0 } else { self.started() }
    }

    /// For how long the call has been under way, if that is known.
    fn under_way(&mut self, now: Moment) -> Option<Duration> {
        self.watch().took(now)
    }

    /// The call begins.
    pub(super) fn tell_call(&mut self, now: Moment) {
        self.watch().begun = now;
        self.emit(now, 0, What::CallStarted);
    }

    /// An attempt starts: the latest of those that have.
    pub(super) fn tell_start(&mut self, hedge: bool) {
        if self.is_told() {
            let (now, number) = (clock::now(), self.started());
            self.watch().start(number, now);
            self.emit(now, number, What::AttemptStarted { hedge });
        }
    }

    /// An attempt failed.
    pub(super) fn tell_failure(&mut self, number: u32, facts: &Facts, now: Moment) {
        if self.is_told() {
            let took = self.watch().end(number, now);
            let Facts { classification, label } = *facts;
            self.emit(now, number, What::AttemptFailed { classification, label, took });
        }
    }

    /// Every attempt in flight was dropped but this one.
    pub(super) fn tell_dropped(&mut self, but: Option<u32>) {
        if self.is_told() {
            let now = clock::now();
            for (number, begun) in self.watch().end_others(but) {
                let took = Some(begun.until(now));
                self.emit(now, number, What::AttemptDropped { took });
            }
        }
    }

    /// Another attempt follows.
    pub(super) fn tell_retry(&mut self, facts: &Facts, delay: Duration, now: Moment) {
        if !self.is_told() {
            return;
        }
        let number = self.started();
        let facts = self.with_wait(*facts, now);
        if let Some(Hint::RetryAfter(asked)) = facts.classification.hint() {
            self.emit(now, number, What::HintUsed { asked });
        }
        self.emit(now, number, What::RetryScheduled { delay });
    }

    /// No attempt follows, and somebody is to blame for it: perhaps this breaker, which is open.
    pub(super) fn tell_refusal(
        &mut self,
        reason: StopReason,
        open: Option<BreakerOpen>,
        now: Moment,
    ) {
        if !self.is_told() {
            return;
        }
        let what = match reason {
            StopReason::BudgetExhausted => What::BudgetRefused,
            StopReason::Nested => What::NestedSuppressed,
            StopReason::BreakerOpen => {
                let open = match self.cold.as_ref().and_then(|cold| cold.cut()) {
                    Some(Cut::BreakerOpen(open)) => Some(open),
                    _ => open,
                };
                What::BreakerRefused { retry_after: open.and_then(|open| open.retry_after()) }
            }
            _ => return,
        };
        self.emit(now, self.made(self.phase), what);
    }

    /// The call has failed.
    pub(super) fn tell_stop(&mut self, reason: StopReason, facts: &Facts, now: Moment) {
        let due = self.warning_due(reason, facts, now);
        let told = self.is_told();
        if told || due.is_some() {
            let attempts = self.made(self.phase);
            let failure = Some((facts.classification, facts.label));
            let slept = self.has_slept();
            let took = if told { self.under_way(now) } else { None };
            let what = What::CallStopped { reason, failure, attempts, slept, took };
            if let Some(suppressed) = due {
                self.warn_of(attempts, &what, suppressed);
            }
            self.emit(now, attempts, what);
        }
    }

    /// The call has succeeded.
    pub(super) fn tell_success(&mut self) {
        if self.is_told() {
            let (now, number) = (clock::now(), self.ambient.attempt());
            let took = self.watch().end(number, now);
            self.emit(now, number, What::AttemptSucceeded { took });
            let (attempts, slept, took) = (self.started(), self.has_slept(), self.under_way(now));
            self.emit(now, number, What::CallSucceeded { attempts, slept, took });
        }
    }

    /// The call was dropped where it was in this phase.
    pub(super) fn tell_cancelled(&mut self, phase: Phase) {
        if self.is_told() {
            self.tell_dropped(None);
            let (now, attempts) = (clock::now(), self.made(phase));
            let (slept, took) = (self.has_slept(), self.under_way(now));
            let reason = StopReason::Cancelled;
            let what = What::CallStopped { reason, failure: None, attempts, slept, took };
            self.emit(now, attempts, what);
        }
    }

    /// The body of the call panicked where it was in this phase.
    pub(super) fn tell_panic(&mut self, phase: Phase) {
        if self.is_told() {
            self.tell_dropped(None);
            let (now, attempts) = (clock::now(), self.made(phase));
            let took = self.under_way(now);
            self.emit(now, attempts, What::CallPanicked { attempts, took });
        }
    }

    pub(super) fn has_slept(&self) -> Duration {
        self.cold.as_ref().map_or(Duration::ZERO, |cold| cold.slept())
    }
}
