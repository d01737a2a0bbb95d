//! The spans of a call: where it asks whether it has some, and what runs inside of them.

use crate::{
    Moment, StopReason, What,
    context::SUPPRESS,
    event::{self, Origin},
    machine::Facts,
    tracing::{self, Inside, Traced},
};

use super::Call;

impl Call {
    /// Begins the call's span, if whoever subscribes wants it.
    pub(super) fn trace(&mut self) {
        if let Some(traced) = Traced::begin(&self.origin(0)) {
            self.heat().rare().traced = Some(Box::new(traced));
        }
    }

    /// Whether there is anybody to be told what happens to the call.
    pub(super) fn is_told(&self) -> bool {
        event::is_wanted() || self.traced().is_some()
    }

    fn traced(&self) -> Option<&Traced> {
        self.cold.as_ref().and_then(|cold| cold.traced())
    }

    fn traced_mut(&mut self) -> Option<&mut Traced> {
        let rare = self.cold.as_mut().and_then(|cold| cold.as_mut().known_rare());
        rare.and_then(|rare| rare.traced.as_deref_mut())
    }

    /// What happens to the call, to its spans. They end with the call, whoever goes on to hold its box.
    pub(super) fn tell_traced(&mut self, origin: &Origin, what: &What) {
        let Some(traced) = self.traced_mut() else { return };
        traced.tell(origin, what);
        if matches!(
            what,
            What::CallSucceeded { .. } | What::CallStopped { .. } | What::CallPanicked { .. }
        ) {
            self.heat().rare().traced = None;
        }
    }

    /// For as long as what this returns is in scope, the span of this attempt is the current one, where it
    /// has a span. A call without a box has none, and that is all that its polls ask.
    #[inline]
    pub(super) fn inside(&self, number: u32) -> Inside<'_> {
        if cfg!(feature = "tracing-0-1") && self.cold.is_some() {
            self.inside_traced(number)
        } else {
            Inside::NOWHERE
        }
    }

    #[cold]
    #[inline(never)]
    fn inside_traced(&self, number: u32) -> Inside<'_> {
        self.traced().map_or(Inside::NOWHERE, |traced| traced.attempt(number))
    }

    /// The same for the call's own span.
    pub(super) fn inside_call(&self) -> Inside<'_> {
        self.traced().map_or(Inside::NOWHERE, Traced::call)
    }

    /// How many calls have given up in silence before this one, if somebody on call should hear of it: not of
    /// what an enclosing call may repeat, which tells of it itself if it gives up, and not of what the
    /// dependency answered or somebody wanted.
    pub(super) fn warning_due(
        &self,
        reason: StopReason,
        facts: &Facts,
        now: Moment,
    ) -> Option<u64> {
        let quiet = self.is(SUPPRESS)
            || reason == StopReason::Cancelled
            || facts.classification.is_answer();
        if quiet { None } else { tracing::due(&self.site.state().silence, reason, now) }
    }

    /// The call has given up after its last attempt, as this says, and that is due.
    pub(super) fn warn_of(&mut self, attempt: u32, what: &What, suppressed: u64) {
        let origin = self.origin(attempt);
        tracing::gave_up(self.traced_mut(), &origin, what, suppressed);
    }
}
