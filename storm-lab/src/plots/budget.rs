//! How full budgets are, over time.

use std::time::Duration;

use super::{
    Plot,
    data::{Compared, Range, by_policy, end, over_seeds},
    scale::Scale,
    sheet::{Area, BELOW, Names, Sample, Sheet, labels_of},
    style::Turn,
    time::{self, Zones},
};
use crate::{
    outcome::Outcome,
    scenario::{Scenario, Work},
};

/// Tiers whose budgets have the same levels, such as those that share one.
struct Panel {
    tiers: Vec<usize>,
    /// By policy; empty without budgets.
    curves: Vec<Vec<Range>>,
}

fn levels(outcome: &Outcome, tier: usize) -> &[f32] {
    let series = &outcome.series;
    match tier.checked_sub(1) {
        None => &series.budget,
        Some(inner) => series.inner_budgets.get(inner).map_or(&[], Vec::as_slice),
    }
}

/// One for each tier with budgets, together with those that look the same.
fn panels(policies: &[Compared<'_>], outcomes: &[Outcome]) -> Vec<Panel> {
    let tiers = outcomes.iter().map(|one| one.series.inner_budgets.len() + 1).max().unwrap_or(0);
    let curves = |policy: &Compared<'_>, tier: usize| {
        let own = policy.outcomes.iter().map(|outcome| levels(outcome, tier));
        let percent = |level: &f32| f64::from(*level) * 100.0;
        let curves = own.filter(|own| !own.is_empty());
        over_seeds(&curves.map(|own| own.iter().map(percent).collect()).collect::<Vec<Vec<f64>>>())
    };
    let mut panels: Vec<Panel> = Vec::new();
    for tier in 0..tiers {
        let same = |panel: &&mut Panel| {
            outcomes.iter().all(|one| levels(one, panel.tiers[0]) == levels(one, tier))
        };
        if outcomes.iter().all(|outcome| levels(outcome, tier).is_empty()) {
            continue;
        }
        if let Some(panel) = panels.iter_mut().find(same) {
            panel.tiers.push(tier);
        } else {
            let curves = policies.iter().map(|policy| curves(policy, tier)).collect();
            panels.push(Panel { tiers: vec![tier], curves });
        }
    }
    panels
}

/// At which tiers, where there are several.
fn heading(scenario: &Scenario, panel: &Panel) -> String {
    let Work::Services(topology) = &scenario.work else { return String::new() };
    if topology.tiers.len() < 2 {
        return String::new();
    }
    let names = panel.tiers.iter().filter_map(|tier| topology.tiers.get(*tier));
    let names: Vec<&str> = names.map(|tier| tier.name.as_str()).collect();
    let word = if names.len() > 1 { "tiers" } else { "tier" };
    format!("{word} {}", names.join(", "))
}

/// `None` where nobody has a budget.
pub(super) fn plot(scenario: &Scenario, outcomes: &[Outcome]) -> Option<Plot> {
    let policies = by_policy(scenario, outcomes);
    let panels = panels(&policies, outcomes);
    if panels.is_empty() {
        return None;
    }
    let seeds = policies.iter().map(|policy| policy.outcomes.len()).max().unwrap_or(0);
    let over = if seeds > 1 { format!(", median of {seeds} seeds") } else { String::new() };
    let title = format!("{}: level of the retry budgets", scenario.name);
    let how = format!(
        "Mean over the budgets of all processes{over}; without a whole retry in it, a budget refuses."
    );
    let mut sheet = Sheet::new(&title, &[&scenario.title, &how]);
    let mut legend: Vec<_> = policies
        .iter()
        .enumerate()
        .map(|(at, policy)| {
            if panels.iter().all(|panel| panel.curves[at].is_empty()) {
                (Sample::Mark(policy.style), format!("{}: no budget", policy.name))
            } else {
                (Sample::Line(policy.style), policy.name.to_owned())
            }
        })
        .collect();
    let end = end(scenario, outcomes);
    let zones = Zones::of(scenario, outcomes, end);
    legend.extend(zones.legend());
    sheet.legend(&legend);

    let labels = labels_of(&Scale::from_zero(100.0, 1.0, 0.0, 5));
    let height = if panels.len() > 1 { 170.0 } else { 240.0 };
    let cells = sheet.cells(panels.len(), 1, height, labels, 28.0);
    for (at, (panel, area)) in panels.iter().zip(&cells).enumerate() {
        let x = time::axis(*area, end);
        let y = scale(*area);
        zones.shade(&mut sheet.svg, *area, &x);
        let names = Names {
            x: (at + 1 == panels.len()).then_some(time::NAME),
            y: Some("budget level (% of full)"),
        };
        sheet.axes(*area, &x, &y, names);
        let heading = heading(scenario, panel);
        if !heading.is_empty() {
            sheet.heading(*area, None, &heading);
        }
        draw(&mut sheet, &policies, panel, (&x, &y));
    }
    sheet.top = cells.last().map_or(sheet.top, |area| area.top + area.height + BELOW);
    Some(Plot {
        name: "budget",
        reading: "A budget falls while calls fail and are retried, and rises with what succeeds. One that stays full was \
                  never in force; one that lies near the bottom refuses most retries, and then all. Each tier with \
                  budgets has a panel; tiers whose levels are the same, such as those that share a budget, have one \
                  together.",
        svg: sheet.finish(&title),
        title,
    })
}

fn scale(area: Area) -> Scale {
    Scale::from_zero(100.0, area.top + area.height, area.top, 5)
}

fn draw(sheet: &mut Sheet, policies: &[Compared<'_>], panel: &Panel, (x, y): (&Scale, &Scale)) {
    let second = Duration::from_secs(1);
    let with: Vec<_> =
        policies.iter().zip(&panel.curves).filter(|(_, curve)| !curve.is_empty()).collect();
    for (at, (policy, curve)) in with.iter().enumerate() {
        if policy.outcomes.len() > 1 && with.len() <= 4 {
            sheet.svg.polygon(&time::around(curve, second, x, y), &policy.style.fill(0.15));
        }
        let line = time::curve(curve.iter().map(|range| range.middle), second, x, y);
        sheet.svg.polyline(&line, &policy.style.stroke(2.0));
        policy.style.marks(&mut sheet.svg, &line, None, Turn { at, of: with.len() });
    }
}
