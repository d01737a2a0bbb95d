//! What an attempt's result leads to, where no gate is passed.

use std::time::Duration;

use crate::{Policy, RetryEvent, contain::contained, machine::Facts, side};

use super::{Attempted, Call, Phase, cold};

impl Call {
    /// Decides what follows an attempt: `true` if its result is the call's.
    #[expect(
        clippy::inline_always,
        reason = "the site's constants fold, a third of a success's cost"
    )]
    #[inline(always)]
    pub fn decide<A: Attempted>(
        &mut self,
        policy: &Policy,
        attempted: &A,
        judge: impl FnOnce(&Result<A::Value, A::Error>) -> Option<Facts>,
    ) -> bool {
        match self.facts(attempted, judge) {
            None => {
                self.succeed();
                true
            }
            Some(facts) => self.fail(policy, facts, attempted.needs_record(), None, None).is_none(),
        }
    }

    #[cold]
    fn cut_facts(&self) -> Option<Facts> {
        self.cold.as_ref().and_then(|cold| cold.cut()).map(cold::facts_of)
    }

    /// [`decide`](Self::decide) for a site with `on_retry`.
    #[inline]
    pub fn decide_and_tell<A: Attempted>(
        &mut self,
        policy: &Policy,
        attempted: &A,
        judge: impl FnOnce(&Result<A::Value, A::Error>) -> Option<Facts>,
        hook: impl FnOnce(&RetryEvent<'_, A::Error>),
    ) -> bool {
        let Some(facts) = self.facts(attempted, judge) else {
            self.succeed();
            return true;
        };
        let keep = attempted.needs_record();
        let Some(delay) = self.fail(policy, facts, keep, None, None) else { return true };
        self.tell(attempted, facts, delay, hook);
        false
    }

    /// Calls the hook. It looks on; it never changes what happens to the call.
    pub(super) fn tell<A: Attempted>(
        &mut self,
        attempted: &A,
        facts: Facts,
        delay: Duration,
        hook: impl FnOnce(&RetryEvent<'_, A::Error>),
    ) {
        let event = RetryEvent {
            site: self.site.name(),
            error: attempted.result().and_then(|result| result.as_ref().err()),
            attempt: self.ambient.attempt(),
            delay,
            classification: facts.classification,
            label: facts.label,
            hedge: false,
            #[cfg(feature = "adaptive")]
            adaptive: self.adapted(),
        };
        self.call_hook(&event, hook);
    }

    pub(super) fn call_hook<E>(
        &self,
        event: &RetryEvent<'_, E>,
        hook: impl FnOnce(&RetryEvent<'_, E>),
    ) {
        let told = {
            let _inside = self.inside_call();
            contained(|| hook(event))
        };
        if told.is_none() {
            self.hook_panicked("on_retry");
        }
    }

    /// What the attempt told; `None` if the dependency answered with a success.
    #[inline]
    pub(super) fn facts<A: Attempted>(
        &self,
        attempted: &A,
        judge: impl FnOnce(&Result<A::Value, A::Error>) -> Option<Facts>,
    ) -> Option<Facts> {
        if self.phase == Phase::Cut { self.cut_facts() } else { attempted.result().and_then(judge) }
    }

    #[inline]
    pub(super) fn succeed(&mut self) {
        self.earn();
        if self.cold.is_some() || side::attention() {
            self.succeed_cold();
        }
    }
}
