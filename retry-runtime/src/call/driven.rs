//! What drives a call without an attribute needs: attempts whose bodies are made when they are due, and rules
//! that come with the call.

use std::task::{Context, Poll};

use crate::{
    Policy, StopReason,
    contain::contained,
    context,
    machine::{Adjust, Facts},
    run::{Operation, Ruling, Turn},
};

use super::{Attempted, Call, Cuts, Gate, Phase, begin::NESTING};

impl Call {
    /// Waits until the next attempt is due, and starts it, before its body is made; or tells what the loop
    /// works with if it may not start.
    pub(crate) fn poll_next<R, C: Cuts<R>>(
        &mut self,
        task: &mut Context<'_>,
        cuts: &mut C,
        gate: Option<&mut Gate>,
    ) -> Poll<Option<C::Output>> {
        if self.phase.needs_start() {
            if self.poll_due(task).is_pending() {
                return Poll::Pending;
            }
            if let Some(output) = gate.and_then(|gate| gate.admit(self, cuts)) {
                return Poll::Ready(Some(output));
            }
            if let Some(cut) = self.start() {
                if let Some(output) = cuts.cut(cut) {
                    self.cut_before_start(cut);
                    return Poll::Ready(Some(output));
                }
            }
        }
        // Whoever makes the body is the user.
        self.phase = Phase::Polling;
        Poll::Ready(None)
    }

    /// Makes the body of the attempt that has started, as a part of the attempt.
    #[inline]
    pub(crate) fn start_body<O: Operation>(&mut self, operation: &mut O, turn: Turn) -> O::Body {
        let repeatable = {
            let _entered = context::enter(&self.ambient);
            let _inside = self.inside(self.ambient.attempt());
            operation.prepare(turn)
        };
        if !repeatable {
            self.stand_alone();
        }
        let _entered = context::enter(&self.ambient);
        let _inside = self.inside(self.ambient.attempt());
        operation.start(turn)
    }

    /// No other attempt can follow, so that nobody but those inside can repeat what fails there; unless
    /// somebody around this call does.
    #[cold]
    fn stand_alone(&mut self) {
        let around = u32::from(self.around) & NESTING;
        let alone = self.ambient.with_flags(self.ambient.flags() & !NESTING | around);
        self.ambient = alone.of_most(Some(alone.attempt()));
    }

    /// [`decide`](Self::decide) for a call without an attribute, whose rules say everything.
    pub(crate) fn conclude<T, E, R: Ruling<T, E>>(
        &mut self,
        policy: &Policy,
        attempted: &R::Attempted,
        mut gate: Option<&mut Gate>,
        rules: &mut R,
        repeatable: bool,
        judge: impl FnOnce(&mut R, &Result<T, E>) -> Option<Facts>,
    ) -> bool {
        let Some(facts) = self.facts(attempted, |result| judge(rules, result)) else {
            self.succeed();
            if let Some(gate) = gate.as_mut() {
                gate.succeeded(self);
            }
            return true;
        };
        let keep = attempted.needs_record();
        let error = attempted.result().and_then(|result| result.as_ref().err());
        let mut panicked = false;
        let mut adjust = |delay| match error {
            _ if !repeatable => Err(StopReason::Unrepeatable),
            Some(error) => {
                let adjusted = contained(|| rules.adjust(error, delay));
                panicked = adjusted.is_none();
                adjusted.unwrap_or(Some(delay)).ok_or(StopReason::Declined)
            }
            None => Ok(delay),
        };
        let adjust: Option<&mut Adjust<'_>> =
            if R::ADJUSTS || !repeatable { Some(&mut adjust) } else { None };
        let delay = self.fail(policy, facts, keep, gate, adjust);
        if panicked {
            self.hook_panicked("adjust");
        }
        let Some(delay) = delay else { return true };
        self.tell(attempted, facts, delay, |event| rules.tell(event));
        false
    }

    /// The result was taken.
    #[inline]
    pub(crate) fn over(&mut self) {
        debug_assert!(self.cold.is_none(), "whoever ended the call has dropped its box");
        self.phase = Phase::Done;
    }
}
