//! What a call needs from its first failure on.

use std::{pin::Pin, task::Poll, time::Duration};

use pin_project_lite::pin_project;
use tokio::time::Sleep;

use crate::{
    CallReport, Cut, FailedAttempt, Generator, Moment, Outcome, Policy, RetryError, Retryable,
    StopReason, Warning, clock,
    context::{self, OFF, REPEATING, SUPPRESS},
    isolation,
    machine::{Decision, Facts, Machine, Situation},
    report::{self, KEPT_FAILURES},
    side::{self, InnerFailure},
    site::{Count, Site},
    warning::warn,
};

use super::{
    Call, EARNS, OUTER_CARRIED, Phase, SUPPRESSED,
    purse::{Paid, Payers},
};

pin_project! {
    /// In one box, made at the first failure: the timer, the generator and the record of the call.
    #[derive(Debug)]
    pub(super) struct Cold {
        #[pin]
        timer: Option<Sleep>,
        armed: Armed,
        attempt_ends: Option<Moment>,
        allowed: u32,
        machine: Machine,
        generator: Option<Generator>,
        paid: Paid,
        cut: Option<Cut>,
        last: Option<Facts>,
        reason: Option<StopReason>,
        pause: Duration,
        slept: Duration,
        failures: Vec<FailedAttempt>,
        unstarted: bool,
    }
}

/// What the timer is set for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Armed {
    /// Nothing.
    No,
    /// The end of the running attempt.
    Cut(Cut),
    /// The running attempt cannot be ended.
    Never,
    /// The end of the wait before the next attempt.
    Pause,
    /// A wait of no length, which lets other tasks run once.
    Yield,
}

impl Cold {
    fn new() -> Self {
        Self {
            timer: None,
            armed: Armed::No,
            attempt_ends: None,
            allowed: u32::MAX,
            machine: Machine::new(),
            generator: None,
            paid: Paid::default(),
            cut: None,
            last: None,
            reason: None,
            pause: Duration::ZERO,
            slept: Duration::ZERO,
            failures: Vec::new(),
            unstarted: false,
        }
    }

    /// The cut that ended the attempt, if one did.
    #[inline]
    pub(super) const fn cut(&self) -> Option<Cut> {
        self.cut
    }

    pub(super) const fn armed(&self) -> Armed {
        self.armed
    }

    /// When the running attempt is to end, counted from its first `Pending`: before that no clock is
    /// read.
    pub(super) fn attempt_ends(self: Pin<&mut Self>, timeout: Duration) -> Moment {
        *self.project().attempt_ends.get_or_insert_with(|| clock::now().after(timeout))
    }

    /// The most attempts for which there was time at the start.
    pub(super) fn set_allowed(self: Pin<&mut Self>, attempts: u32) {
        *self.project().allowed = attempts;
    }

    /// Sets the timer.
    pub(super) fn arm(self: Pin<&mut Self>, armed: Armed, moment: Moment) {
        let mut this = self.project();
        *this.armed = armed;
        match this.timer.as_mut().as_pin_mut() {
            Some(timer) => clock::reset(timer, moment),
            None => this.timer.set(Some(clock::sleep_until(moment))),
        }
    }

    /// Remembers what there is to wait for without a timer.
    pub(super) fn set_armed(self: Pin<&mut Self>, armed: Armed) {
        *self.project().armed = armed;
    }

    pub(super) fn poll_timer(self: Pin<&mut Self>, task: &mut std::task::Context<'_>) -> Poll<()> {
        match self.project().timer.as_pin_mut() {
            Some(timer) => timer.poll(task),
            None => Poll::Ready(()),
        }
    }

    /// Notes that the running attempt, or the call before its first, was cut.
    pub(super) fn set_cut(self: Pin<&mut Self>, cut: Cut) {
        let this = self.project();
        *this.cut = Some(cut);
        *this.armed = Armed::No;
    }
}

/// How a cut looks to the decision.
pub(super) fn facts_of(cut: Cut) -> Facts {
    Facts { classification: cut.classify(), label: cut.label() }
}

impl Call {
    /// The box, made on first use.
    #[cold]
    pub(super) fn heat(&mut self) -> Pin<&mut Cold> {
        self.cold.get_or_insert_with(|| Box::pin(Cold::new())).as_mut()
    }

    /// An attempt failed: the delay if another follows.
    #[cold]
    pub(super) fn fail(&mut self, policy: &Policy, facts: Facts) -> Option<Duration> {
        let state = self.site.state();
        let now = clock::now();
        let unstarted = self.heat().unstarted;
        if !unstarted {
            state.add(Count::Failures);
            if let Some(budget) =
                self.budget.filter(|budget| self.is(EARNS) && budget.wants_samples())
            {
                budget.record_attempt(now);
            }
        }
        let inner = side::end_attempt(self.ambient.call);
        let decision = match (self.own_reason(), self.precluded) {
            (Some(reason), _) | (None, Some(reason)) => Decision::Stop(reason),
            (None, None) => self.ask(policy, facts, now, &inner),
        };
        let delay = match decision {
            Decision::Retry(delay) => Some(delay),
            Decision::Stop(_) => None,
        };
        let reporting = self.ambient.scope() != 0;
        let attempt = self.ambient.attempt;
        let cold = self.heat().project();
        *cold.last = Some(facts);
        if reporting && !unstarted && cold.failures.len() < KEPT_FAILURES {
            let Facts { classification, label } = facts;
            cold.failures.push(FailedAttempt { number: attempt, classification, label, delay });
        }
        match decision {
            Decision::Retry(delay) => {
                *cold.pause = delay;
                self.phase = Phase::Sleeping;
                if delay.is_zero() {
                    self.heat().set_armed(Armed::Yield);
                } else {
                    self.heat().arm(Armed::Pause, now.after(delay));
                }
            }
            Decision::Stop(reason) => self.stop(policy, facts, reason, inner),
        }
        delay
    }

    /// The reason that a cut brings along: a passed deadline is final, an attempt's timeout is a
    /// failure like others.
    fn own_reason(&self) -> Option<StopReason> {
        match self.cold.as_ref()?.cut? {
            Cut::DeadlineExceeded(_) => {
                Some(self.precluded.unwrap_or(StopReason::DeadlineExceeded))
            }
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
    ) -> Decision {
        let situation = Situation {
            policy,
            attempt: self.ambient.attempt,
            allowed: self.cold.as_ref().map_or(u32::MAX, |cold| cold.allowed),
            now,
            deadline: self.ambient.deadline,
            off: self.is_off(),
            nesting: self.nesting(),
        };
        let own = self.budget;
        let cold = self.heat().project();
        let generator = cold.generator.get_or_insert_with(isolation::generator);
        let mut payers = Payers { own, inner: &inner.debts, now, paid: cold.paid };
        cold.machine.decide(&facts, &situation, generator, &mut payers)
    }

    fn is_off(&self) -> bool {
        self.ambient.has(OFF)
            || isolation::is_off()
            || self.site.state().is_off()
            || self.budget.is_some_and(crate::Budget::is_off)
    }

    fn stop(&mut self, policy: &Policy, facts: Facts, reason: StopReason, inner: InnerFailure) {
        self.phase = Phase::Done;
        *self.heat().project().reason = Some(reason);
        let first = self.site.state().stopped(reason);
        let cut = self.cold.as_ref().is_some_and(|cold| cold.cut.is_some());
        if !cut && facts.classification.is_answer() && self.is(EARNS) {
            if let Some(budget) = self.budget {
                budget.deposit();
            }
        }
        match reason {
            StopReason::MaybeExecuted if first => {
                warn(Warning::MaybeExecuted { site: self.site.name() });
            }
            StopReason::Disabled => {
                if let Err(fault) = policy.check() {
                    warn(Warning::FaultyPolicy { site: self.site.name(), fault });
                }
            }
            _ => {}
        }
        self.tell_outer(policy, facts, reason, inner);
        self.close(Outcome::Failed, Some(reason));
    }

    /// Leaves word with the enclosing call, which may repeat this failure; or counts what nobody
    /// repeats.
    fn tell_outer(
        &self,
        policy: &Policy,
        facts: Facts,
        reason: StopReason,
        mut inner: InnerFailure,
    ) {
        if !self.is(SUPPRESSED) {
            // This call could have repeated what its inner calls did not, and its own rules said no.
            let refused = matches!(
                reason,
                StopReason::Permanent
                    | StopReason::MaybeExecuted
                    | StopReason::ServerRefusedRetry
                    | StopReason::Cancelled
            ) || policy.max_attempts() == Some(1);
            if refused {
                lost(&inner.unretried, self.site);
            }
            return;
        }
        if let Some(budget) = self.budget {
            inner.debts.insert(0, (budget, facts.classification.retry_cost()));
        }
        if reason == StopReason::Nested {
            inner.unretried.push(self.site);
        }
        side::inner_failed(self.outer, !self.is(OUTER_CARRIED), inner);
    }

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
    fn close(&mut self, outcome: Outcome, reason: Option<StopReason>) {
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

    /// The next attempt starts: its retry is spent, and everything about the last one is forgotten.
    #[cold]
    pub(super) fn start_retry(&mut self) {
        self.ambient.attempt = self.ambient.attempt.saturating_add(1);
        if self.ambient.has(SUPPRESS) {
            self.ambient = self.ambient.with_flags(self.ambient.flags() | REPEATING);
        }
        self.site.state().add(Count::Retries);
        let cold = self.heat().project();
        *cold.slept = cold.slept.saturating_add(*cold.pause);
        cold.paid.spend();
        *cold.cut = None;
        *cold.armed = Armed::No;
        *cold.attempt_ends = None;
    }

    /// Notes that the call ended before its first attempt.
    pub(super) fn cut_before_start(&mut self, cut: Cut) {
        let mut cold = self.heat();
        *cold.as_mut().project().unstarted = true;
        cold.set_cut(cut);
    }

    #[cold]
    pub(super) fn hook_panicked(&mut self, hook: &'static str) {
        self.site.state().add(Count::HookPanics);
        warn(Warning::HookPanicked { site: self.site.name(), hook });
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

/// Counts failures that suppression kept from being retried by anyone, and warns once for each pair of
/// functions.
fn lost(unretried: &[&'static Site], outer: &'static Site) {
    for site in unretried {
        site.state().add(Count::LostToNesting);
        warn(Warning::LostToNesting { site: site.name(), outer: outer.name() });
    }
}
