//! The gate of attempts that run side by side: each has a pass of its own.

use crate::{
    Cut, Moment,
    breaker::{Permit, Seen},
    machine::Facts,
};

use super::{
    Call, Cuts,
    gate::{Gate, Outlook, read},
};

/// What an attempt beside the first was given as it started. Dropped, it was cancelled.
#[derive(Debug)]
pub struct Pass {
    permit: Option<Permit>,
    /// When it started; `NEVER` where that does not matter to the gate.
    started: Moment,
}

/// What attempts that run side by side pass through: a gate, or nothing. The first of a round has the gate's
/// own pass, which is `None` here.
pub trait Passes {
    /// Asks whether the first attempt may start: what the loop works with if it may not.
    fn admit<R, C: Cuts<R>>(&mut self, call: &mut Call, cuts: &mut C) -> Option<C::Output>;

    /// What is known about another attempt.
    fn outlook(&self, call: &Call, now: Moment) -> Outlook;

    /// Asks whether an attempt may start beside those in flight, and takes its permit.
    fn admit_beside(&mut self, call: &Call, now: Moment) -> Option<Pass>;

    /// An attempt failed while others are in flight.
    fn failed_beside(
        &mut self,
        call: &Call,
        pass: Option<Pass>,
        facts: &Facts,
        cut: Option<Cut>,
        now: Moment,
    );

    /// An attempt is dropped because another one was faster. The breaker learns nothing of it.
    fn lost(&mut self, call: &Call, pass: Option<Pass>, now: &mut Option<Moment>);

    /// The attempt that had this pass is the one that decides.
    fn decide_by(&mut self, pass: Pass);
}

/// Nothing that attempts would have to pass.
#[derive(Debug)]
pub struct NoGate;

impl Passes for NoGate {
    #[inline]
    fn admit<R, C: Cuts<R>>(&mut self, _: &mut Call, _: &mut C) -> Option<C::Output> {
        None
    }

    fn outlook(&self, _: &Call, _: Moment) -> Outlook {
        Outlook::UNKNOWN
    }

    fn admit_beside(&mut self, _: &Call, _: Moment) -> Option<Pass> {
        Some(Pass { permit: None, started: Moment::NEVER })
    }

    fn failed_beside(&mut self, _: &Call, _: Option<Pass>, _: &Facts, _: Option<Cut>, _: Moment) {}

    fn lost(&mut self, _: &Call, _: Option<Pass>, _: &mut Option<Moment>) {}

    fn decide_by(&mut self, _: Pass) {}
}

impl Passes for &mut Gate {
    fn admit<R, C: Cuts<R>>(&mut self, call: &mut Call, cuts: &mut C) -> Option<C::Output> {
        Gate::admit(self, call, cuts)
    }

    fn outlook(&self, call: &Call, now: Moment) -> Outlook {
        Gate::outlook(self, call, now)
    }

    fn admit_beside(&mut self, call: &Call, now: Moment) -> Option<Pass> {
        let permit = match self.breaker {
            Some(breaker) => Some(breaker.admit(|| now).ok()?),
            None => None,
        };
        Some(Pass { permit, started: if call.takes_time() { now } else { Moment::NEVER } })
    }

    fn failed_beside(
        &mut self,
        call: &Call,
        pass: Option<Pass>,
        facts: &Facts,
        cut: Option<Cut>,
        now: Moment,
    ) {
        let Pass { permit, started } = pass.unwrap_or_else(|| take(self));
        if let Some(permit) = permit {
            permit.settle(Seen::of(&facts.classification, cut), || now);
        }
        // How soon something failed says nothing about how long an attempt takes.
        if started != Moment::NEVER && (cut.is_some() || facts.classification.is_answer()) {
            call.record_expected(started, cut.is_some(), now);
        }
    }

    fn lost(&mut self, call: &Call, pass: Option<Pass>, now: &mut Option<Moment>) {
        let Pass { started, permit: _gone } = pass.unwrap_or_else(|| take(self));
        if started != Moment::NEVER {
            call.record_expected(started, true, read(now));
        }
    }

    fn decide_by(&mut self, pass: Pass) {
        (self.permit, self.started) = (pass.permit, pass.started);
    }
}

fn take(gate: &mut Gate) -> Pass {
    let started = std::mem::replace(&mut gate.started, Moment::NEVER);
    Pass { permit: gate.permit.take(), started }
}
