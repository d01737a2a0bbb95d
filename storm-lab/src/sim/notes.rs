//! What the reader of a simulation's figures must know.

use super::world::World;
use crate::{outcome::TierOutcome, scenario::Scenario};

pub(super) fn notes(
    _world: &World<'_>,
    _tiers: &[TierOutcome],
    _scenario: &Scenario,
) -> Vec<String> {
    Vec::new()
}
