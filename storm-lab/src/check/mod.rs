//! Whether the built-in scenarios show what they are there to show.

mod bound;
mod rules;
mod runs;

pub use bound::{Bound, Verdict};

use crate::{outcome::Outcome, scenario::Scenario};
use runs::Runs;

/// What must hold of a built-in scenario, with what was observed; empty for others.
///
/// Each rule holds for every seed, unless it says that it is about the median or the mean.
pub fn verdicts(scenario: &Scenario, outcomes: &[Outcome]) -> Vec<Verdict> {
    let runs = Runs::new(scenario, outcomes);
    match scenario.name.as_str() {
        "L1" => rules::loss(&runs),
        "L1-many" => rules::loss_of_many(&runs),
        "L2" => rules::collapse(&runs),
        "L3" => rules::wave(&runs),
        "L4" => rules::dead(&runs),
        "L5" => rules::chain(&runs),
        "L5-onset" => rules::onset(&runs),
        "L6" => rules::blackout(&runs),
        "L7" => rules::contention(&runs),
        "L8-280" => rules::metastable_280(&runs),
        "L8-240" => rules::metastable_240(&runs),
        "L8-140" => rules::metastable_140(&runs),
        "L8-shed" => rules::shedding(&runs),
        "L9" => rules::hint(&runs),
        "L10-outage" => rules::foreign(&runs),
        "L10-page" => rules::pages(&runs),
        _ => Vec::new(),
    }
}
