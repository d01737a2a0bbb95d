//! An adaptive backoff, before the decision: what is known is gathered here, so that the decision stays
//! arithmetic.

use crate::{
    Backoff, Moment, Policy,
    adaptive::{self, AdaptiveDecision},
};

use super::Call;

impl Call {
    /// The policy for one retry and how it was found, where the strategy is adaptive.
    #[cold]
    pub(super) fn adapt(&self, policy: &Policy, now: Moment) -> Option<(Policy, AdaptiveDecision)> {
        let Backoff::Adaptive(config) = policy.strategy() else { return None };
        // One that makes no sense is what the decision refuses.
        policy.check().ok()?;
        let decision = adaptive::decide(config, self.site, self.ambient.attempt(), now);
        Some((policy.backoff(decision.backoff()), decision))
    }

    /// How the delay of the retry that has not started yet was drawn.
    pub(super) fn adapted(&mut self) -> Option<AdaptiveDecision> {
        self.cold.as_mut()?.as_mut().known_rare()?.adaptive.as_deref().copied()
    }
}
