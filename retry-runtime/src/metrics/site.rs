//! What is recorded about one site.

use std::{sync::Arc, time::Duration};

use ::metrics::{Counter, Gauge, Histogram, Recorder, SharedString};

use super::{
    catalogue::{
        ATTEMPT_DURATION, ATTEMPTS, CALL_ATTEMPTS, CALLS, RETRIES_OFF, RETRY_DELAY, counter, gauge,
        histogram,
    },
    failures::Failures,
    gauges::{Gauges, Level},
    labels::Label,
    payers::{Payer, Payers},
};
use crate::{
    Budget, StopReason, What,
    event::Origin,
    site::{BudgetRef, OWN, Site},
};

/// How a call ended.
#[derive(Clone, Copy)]
enum Outcome {
    Success,
    SuccessAfterRetry,
    Failure,
    FailureAfterRetry,
}

impl Outcome {
    const LABELS: [&'static str; 4] =
        ["success", "success_after_retry", "failure", "failure_after_retry"];

    const fn of(succeeded: bool, attempts: u32) -> Self {
        match (succeeded, attempts > 1) {
            (true, false) => Self::Success,
            (true, true) => Self::SuccessAfterRetry,
            (false, false) => Self::Failure,
            (false, true) => Self::FailureAfterRetry,
        }
    }
}

/// The series of one site, registered once: so an event makes no key, and looks none up.
pub(super) struct SiteSeries {
    site: &'static Site,
    label: SharedString,
    calls: [Counter; 4],
    attempts: Counter,
    call_attempts: Histogram,
    delays: Histogram,
    durations: Histogram,
    /// `None` where many closures are counted together, each of which has a switch and a bucket of its own.
    off: Option<Gauge>,
    failures: Failures,
    payers: Payers,
}

impl SiteSeries {
    pub(super) fn new(recorder: &dyn Recorder, site: &'static Site, label: &Label) -> Self {
        let alone = matches!(label, Label::Own(_));
        let label = label.to_shared();
        let labels = [("site", &label)];
        let call = |at: usize| {
            let outcome = SharedString::const_str(Outcome::LABELS[at]);
            counter(recorder, &CALLS, &[("site", &label), ("outcome", &outcome)])
        };
        let series = Self {
            site,
            calls: std::array::from_fn(call),
            attempts: counter(recorder, &ATTEMPTS, &labels),
            call_attempts: histogram(recorder, &CALL_ATTEMPTS, &labels),
            delays: histogram(recorder, &RETRY_DELAY, &labels),
            durations: histogram(recorder, &ATTEMPT_DURATION, &labels),
            off: alone.then(|| {
                let scope = SharedString::const_str("site");
                gauge(recorder, &RETRIES_OFF, &[("scope", &scope), ("name", &label)])
            }),
            failures: Failures::default(),
            payers: Payers::default(),
            label,
        };
        series.refresh();
        series
    }

    /// Makes known what the attribute says about who pays.
    pub(super) fn meet(&self, recorder: &dyn Recorder, gauges: &Gauges, site: &'static Site) {
        let name = match site.budget_ref() {
            BudgetRef::Own => Some(OWN),
            BudgetRef::None => None,
            BudgetRef::Static(budget) => Some(budget.name()),
            BudgetRef::Named(name) => Some(name.name()),
            // The calls will tell.
            BudgetRef::Given => return,
        };
        self.with_payer(recorder, gauges, name, Payer::refresh);
    }

    /// Sets what may have changed without an event.
    pub(super) fn refresh(&self) {
        if let Some(gauge) = &self.off {
            gauge.set(f64::from(u8::from(self.site.state().is_off())));
        }
    }

    /// Records an event of one of the site's calls.
    pub(super) fn record(
        &self,
        recorder: &dyn Recorder,
        gauges: &Gauges,
        origin: &Origin,
        what: &What,
    ) {
        let payer = |look: fn(&Payer)| {
            self.with_payer(recorder, gauges, origin.budget.map(Budget::name), look);
        };
        match *what {
            What::AttemptStarted { .. } => self.attempts.increment(1),
            What::AttemptSucceeded { took } | What::AttemptDropped { took } => {
                self.record_time(took);
            }
            What::AttemptFailed { classification, label, took } => {
                self.record_time(took);
                self.failures.count(recorder, &self.label, classification.kind(), label);
            }
            What::RetryScheduled { delay } => {
                self.delays.record(delay.as_secs_f64());
                payer(Payer::refresh);
            }
            What::CallSucceeded { attempts, .. } => {
                self.count_call(Outcome::of(true, attempts), attempts);
                payer(Payer::refresh);
            }
            What::CallStopped { reason, attempts, .. } => {
                self.fail(recorder, gauges, origin, Some(reason), attempts);
            }
            What::CallPanicked { attempts, .. } => {
                self.fail(recorder, gauges, origin, None, attempts);
            }
            _ => {}
        }
    }

    fn fail(
        &self,
        recorder: &dyn Recorder,
        gauges: &Gauges,
        origin: &Origin,
        reason: Option<StopReason>,
        attempts: u32,
    ) {
        self.count_call(Outcome::of(false, attempts), attempts);
        self.with_payer(recorder, gauges, origin.budget.map(Budget::name), |payer| {
            payer.count_failed_call(reason);
            payer.refresh();
        });
    }

    fn count_call(&self, outcome: Outcome, attempts: u32) {
        self.calls[outcome as usize].increment(1);
        self.call_attempts.record(f64::from(attempts));
    }

    fn record_time(&self, took: Option<Duration>) {
        if let Some(took) = took {
            self.durations.record(took.as_secs_f64());
        }
    }

    fn with_payer(
        &self,
        recorder: &dyn Recorder,
        gauges: &Gauges,
        name: Option<&'static str>,
        look: impl FnOnce(&Payer),
    ) {
        let make = |name: Option<&'static str>| {
            let (label, level) = match name {
                None => (SharedString::const_str("none"), None),
                Some(OWN) => {
                    // Each has its own, so each has its own label.
                    let label =
                        SharedString::from_shared(Arc::from(format!("{OWN} {}", self.label)));
                    let level = self.off.as_ref().map(|_| Level::own(recorder, self.site, &label));
                    (label, level)
                }
                Some(name) => (SharedString::const_str(name), gauges.level(recorder, name)),
            };
            Payer::new(recorder, &self.label, &label, level)
        };
        self.payers.with(name, make, look);
    }
}
