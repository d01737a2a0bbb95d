//! The gate of attempts that run side by side: each has a pass of its own.

use std::time::Duration;

use crate::{
    Cut, Moment,
    breaker::{Permit, Seen},
    hedge::{Hedge, HedgeDelay},
    isolation,
    machine::Facts,
};

use super::{
    Call,
    gate::{Gate, Outlook, read},
};

/// What an attempt beside the first was given as it started. Dropped, it was cancelled.
#[derive(Debug)]
pub struct Pass {
    pub(super) permit: Option<Permit>,
    /// When it started; `NEVER` where its time is not taken.
    pub(super) started: Moment,
}

impl Pass {
    /// Of a call without a gate.
    pub(super) const NONE: Self = Self { permit: None, started: Moment::NEVER };
}

impl Gate {
    /// What is known about another attempt.
    pub(super) fn outlook(&self, call: &Call, now: Moment) -> Outlook {
        Outlook {
            expected: call.expected(now).unwrap_or_default(),
            breaker_open: self.breaker.is_some_and(|breaker| breaker.refuses(now).is_some()),
        }
    }

    /// Asks whether an attempt may start beside those in flight, and takes its permit.
    pub(super) fn enter_beside(&self, call: &Call, now: Moment) -> Option<Pass> {
        let permit = match self.breaker {
            Some(breaker) => Some(breaker.admit(|| now).ok()?),
            None => None,
        };
        Some(Pass { permit, started: if call.takes_time() { now } else { Moment::NEVER } })
    }

    /// An attempt failed while others are in flight; the first has the gate's own pass.
    pub(super) fn failed_beside(
        &mut self,
        call: &Call,
        pass: Option<Pass>,
        facts: &Facts,
        cut: Option<Cut>,
        now: Moment,
    ) {
        let Pass { permit, started } = pass.unwrap_or_else(|| self.take());
        if let Some(permit) = permit {
            permit.settle(Seen::of(&facts.classification, cut), || now);
        }
        // How soon something failed says nothing about how long an attempt takes.
        if started != Moment::NEVER && (cut.is_some() || facts.classification.is_answer()) {
            record(call, started, cut.is_some(), now);
        }
    }

    /// An attempt is dropped because another one was faster. The breaker learns nothing of it, and that it
    /// took so long already is worth knowing.
    pub(super) fn lost(&mut self, call: &Call, pass: Option<Pass>, now: &mut Option<Moment>) {
        let Pass { started, permit: _gone } = pass.unwrap_or_else(|| self.take());
        if started != Moment::NEVER {
            record(call, started, true, read(now));
        }
    }

    /// The attempt that had this pass is the one that decides.
    pub(super) fn decide_by(&mut self, pass: Pass) {
        (self.permit, self.started) = (pass.permit, pass.started);
    }

    fn take(&mut self) -> Pass {
        let started = std::mem::replace(&mut self.started, Moment::NEVER);
        Pass { permit: self.permit.take(), started }
    }
}

/// Remembers how long an attempt took. One that was cut or dropped would have taken longer: that is worth
/// knowing if it has taken as long as anybody waits for already, and else would only pretend haste.
pub(super) fn record(call: &Call, started: Moment, cut: bool, now: Moment) {
    let took = started.until(now);
    if cut && call.waits_for(now).is_some_and(|longest| took < longest) {
        return;
    }
    if let Some(latency) = call.site.latency() {
        isolation::latency(latency).record(took, now);
    }
}

impl Call {
    /// The longest time, of those asked of the site's latency, that is known.
    fn waits_for(&self, now: Moment) -> Option<Duration> {
        self.expected(now).max(self.usual(now))
    }

    /// After how long without an answer the site hedges, where that is a part of its own latency and known.
    pub(super) fn usual(&self, now: Moment) -> Option<Duration> {
        match self.site.hedges().map(Hedge::delay)? {
            HedgeDelay::Quantile(quantile, latency) => {
                isolation::latency(latency).quantile(quantile, now)
            }
            HedgeDelay::After(_) => None,
        }
    }
}
