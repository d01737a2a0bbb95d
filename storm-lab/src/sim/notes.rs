//! What the reader of a simulation's figures must know.

use retry_runtime::{Budget, BudgetSettings};

use super::world::World;
use crate::scenario::Scenario;

/// Remarks about budgets that do not do what their owner may think, in whole words and rounded, so that seeds that
/// differ a little say the same.
pub(super) fn notes(world: &World<'_>, attempts: &[u64], scenario: &Scenario) -> Vec<String> {
    let tiers = attempts.iter().sum::<u64>();
    let budgets = world.functions.budgets();
    let mut notes: Vec<String> =
        budgets.filter_map(|copies| idle(copies, tiers, scenario)).collect();
    notes.dedup();
    notes
}

/// Whether this budget has hardly ever said no to retries, and why.
fn idle(copies: &[&'static Budget], attempts: u64, scenario: &Scenario) -> Option<String> {
    let (granted, refused) = copies.iter().fold((0, 0), |(granted, refused), budget| {
        let stats = budget.stats();
        (granted + stats.spent(), refused + stats.refused)
    });
    // One in a thousand is chance: a process that happened to call more often than others.
    if granted == 0 || refused * 1_000 > granted {
        return None;
    }
    let budget = copies.first()?;
    let (name, processes) = (budget.name(), copies.len());
    match budget.settings() {
        BudgetSettings::SlidingWindow { window, min_samples, .. } => {
            #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
            let each = attempts as f64 / processes as f64 / scenario.window.length().as_secs_f64()
                * window.as_secs_f64();
            (each < f64::from(min_samples)).then(|| {
                format!(
                    "budget `{name}` was inactive: each of {processes} processes makes some {each:.0} attempts in its \
                     window of {} s, and with fewer than {min_samples} samples every retry is granted",
                    window.as_secs_f64()
                )
            })
        }
        settings => {
            let burst = settings.burst()?;
            #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
            let (all, granted) = (burst * processes as f64, granted as f64);
            (all >= granted).then(|| {
                format!(
                    "budget `{name}` was inactive: what {processes} processes have at the start, {burst:.0} retries \
                     each, is more than was ever asked for"
                )
            })
        }
    }
}
