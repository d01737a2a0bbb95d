//! Attempts for each logical call, tier by tier.

use super::{
    Plot,
    bars::{self, Group},
    data::{Range, by_policy},
    sheet::{Sample, Sheet},
};
use crate::{
    outcome::{Outcome, TierOutcome},
    scenario::{Scenario, Work},
};

/// How many calls of each tier one logical call comes to if nothing is retried.
fn unretried(scenario: &Scenario) -> Vec<f64> {
    let Work::Services(topology) = &scenario.work else { return Vec::new() };
    let mut calls = vec![0.0; topology.tiers.len()];
    if let Some(first) = calls.first_mut() {
        *first = 1.0;
    }
    for (at, tier) in topology.tiers.iter().enumerate() {
        for edge in &tier.calls {
            let own = calls[at];
            if let Some(callee) = calls.get_mut(edge.tier) {
                *callee += own * f64::from(edge.times);
            }
        }
    }
    calls
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn for_each_call(outcome: &Outcome, tier: &TierOutcome) -> f64 {
    tier.attempts as f64 / outcome.calls as f64
}

/// `None` where there are neither tiers nor calls.
pub(super) fn plot(scenario: &Scenario, outcomes: &[Outcome]) -> Option<Plot> {
    let policies = by_policy(scenario, outcomes);
    let longest = outcomes.iter().max_by_key(|outcome| outcome.tiers.len())?;
    let usual = unretried(scenario);
    let groups: Vec<_> =
        longest
            .tiers
            .iter()
            .enumerate()
            .map(|(at, tier)| Group {
                name: format!("tier {}", tier.name),
                bars: policies
                    .iter()
                    .map(|policy| {
                        let with = policy.outcomes.iter().filter(|outcome| outcome.calls > 0);
                        Range::of(with.filter_map(|outcome| {
                            Some(for_each_call(outcome, outcome.tiers.get(at)?))
                        }))
                    })
                    .collect(),
                reference: usual.get(at).copied(),
            })
            .collect();
    if groups.iter().all(|group| group.bars.iter().all(Option::is_none)) {
        return None;
    }
    let title = format!("{}: amplification by tier", scenario.name);
    let seeds = policies.iter().map(|policy| policy.outcomes.len()).max().unwrap_or(0);
    let over =
        if seeds > 1 { format!("; median and range of {seeds} seeds") } else { String::new() };
    let window = longest.window;
    let how = format!(
        "Attempts for each logical call of the first tier, counted from {} to {} s{over}.",
        window.from.as_secs_f64(),
        window.to.as_secs_f64()
    );
    let mut sheet = Sheet::new(&title, &[&scenario.title, &how]);
    if !usual.is_empty() {
        sheet.legend(&[(Sample::Limit, "without any retry".to_owned())]);
    }
    bars::draw(&mut sheet, &policies, &groups, "attempts per logical call", "×");
    Some(Plot {
        name: "amplification",
        reading: "A bar that ends at the dashed line made no retries. Three attempts at each of three tiers multiply to 27 \
                  at the last one; with nested suppression or a budget they do not.",
        svg: sheet.finish(&title),
        title,
    })
}
