//! What the reader of a simulation's figures must know.

use retry_runtime::{Budget, BudgetSettings, StopReason};

use super::world::World;
use crate::scenario::Scenario;

/// Remarks about budgets and breakers that do not do what their owner may think, in whole words and rounded, so that
/// seeds that differ a little say the same.
pub(super) fn notes(world: &World<'_>, attempts: &[u64], scenario: &Scenario) -> Vec<String> {
    let tiers = attempts.iter().sum::<u64>();
    let idle = |(at, copies)| {
        idle(copies, tiers, scenario, || world.functions.stops_of_payer(at, StopReason::Nested))
    };
    let mut notes: Vec<String> = world.functions.budgets().enumerate().filter_map(idle).collect();
    notes.extend(asked_twice(world));
    notes.dedup();
    notes
}

/// Breakers that are asked by a tier's function and by one that runs within its attempts.
fn asked_twice(world: &World<'_>) -> Vec<String> {
    let tiers = &world.topology.tiers;
    // The sites of a tier are alike.
    let breaker = |tier: usize| world.functions.breaker(world.functions.get(tier, 0), 0);
    let mut names: Vec<&str> = Vec::new();
    for from in 0..tiers.len() {
        let Some(outer) = breaker(from) else { continue };
        let mut within = vec![false; tiers.len()];
        within[from] = true;
        // Each tier comes before what it calls.
        for at in from..tiers.len() {
            if within[at] {
                tiers[at].calls.iter().for_each(|edge| within[edge.tier] = true);
            }
        }
        let mut inner = (from + 1..tiers.len()).filter(|at| within[*at]).filter_map(breaker);
        if inner.any(|inner| std::ptr::eq(outer, inner)) && !names.contains(&outer.name()) {
            names.push(outer.name());
        }
    }
    let note = |name| {
        format!(
            "breaker `{name}` is asked by a call and by the calls inside its attempts: its probe would wait for itself"
        )
    };
    names.into_iter().map(note).collect()
}

/// Whether this budget has hardly ever said no to retries, and why.
fn idle(
    copies: &[&'static Budget],
    attempts: u64,
    scenario: &Scenario,
    suppressed: impl FnOnce() -> u64,
) -> Option<String> {
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
            // One that has paid its burst was empty at some time, or would have been without what it earned: that it
            // refused nobody may be the doing of another one that ran out with it.
            #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
            let spent = copies.iter().filter(|one| one.stats().spent() as f64 >= burst).count();
            if spent * 1_000 > processes {
                return None;
            }
            Some(if suppressed() > granted {
                format!(
                    "budget `{name}` was inactive: most of its calls that fail do so within attempts of other calls, \
                     which do the retrying (`nested`)"
                )
            } else {
                format!(
                    "budget `{name}` was inactive: what {processes} processes have at the start, {burst:.0} retries \
                     each, is more than was ever asked for"
                )
            })
        }
    }
}
