//! The simulator.

mod watch;

pub use watch::Watch;

use crate::{
    outcome::Outcome,
    scenario::{PolicySpec, Scenario},
};

/// Simulates one policy with one seed; `None` if `watch` was told to stop.
pub fn simulate(
    _scenario: &Scenario,
    _policy: &PolicySpec,
    _seed: u64,
    _watch: &Watch,
) -> Option<Outcome> {
    None
}
