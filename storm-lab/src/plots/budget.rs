//! How full budgets are, over time.

use std::time::Duration;

use super::{
    Plot,
    data::{by_policy, end, over_seeds},
    scale::Scale,
    sheet::{BELOW, Names, Sample, Sheet, labels_of},
    style::Turn,
    time,
};
use crate::{outcome::Outcome, scenario::Scenario};

/// `None` where nobody has a budget.
pub(super) fn plot(scenario: &Scenario, outcomes: &[Outcome]) -> Option<Plot> {
    let policies = by_policy(scenario, outcomes);
    let levels = |outcome: &&Outcome| -> Vec<f64> {
        outcome.series.budget.iter().map(|level| f64::from(*level) * 100.0).collect()
    };
    let drawn: Vec<_> = policies
        .iter()
        .map(|policy| {
            let curves: Vec<Vec<f64>> =
                policy.outcomes.iter().map(levels).filter(|curve| !curve.is_empty()).collect();
            over_seeds(&curves)
        })
        .collect();
    if drawn.iter().all(Vec::is_empty) {
        return None;
    }
    let seeds = policies.iter().map(|policy| policy.outcomes.len()).max().unwrap_or(0);
    let over = if seeds > 1 { format!(", median of {seeds} seeds") } else { String::new() };
    let title = format!("{}: level of the retry budgets", scenario.name);
    let how = format!(
        "Mean over the budgets of all processes at the first tier{over}; empty means that no retry is made."
    );
    let mut sheet = Sheet::new(&title, &[&scenario.title, &how]);
    let mut legend: Vec<_> = policies
        .iter()
        .zip(&drawn)
        .map(|(policy, curve)| match curve.is_empty() {
            true => (Sample::Mark(policy.style), format!("{}: no budget", policy.name)),
            false => (Sample::Line(policy.style), policy.name.to_owned()),
        })
        .collect();
    let trigger = time::trigger(scenario, outcomes);
    legend.extend(trigger.map(|window| time::trigger_entry(scenario, window)));
    sheet.legend(&legend);

    let labels = labels_of(&Scale::from_zero(100.0, 1.0, 0.0, 5));
    let area = sheet.cells(1, 1, 240.0, labels, 14.0)[0];
    let x = time::axis(area, end(scenario, outcomes));
    let y = Scale::from_zero(100.0, area.top + area.height, area.top, 5);
    time::shade(&mut sheet.svg, area, &x, trigger);
    sheet.axes(area, &x, &y, Names { x: Some(time::NAME), y: Some("budget level (% of full)") });
    let with: Vec<_> = policies.iter().zip(&drawn).filter(|(_, curve)| !curve.is_empty()).collect();
    for (at, (policy, curve)) in with.iter().enumerate() {
        let second = Duration::from_secs(1);
        if seeds > 1 && with.len() <= 4 {
            sheet.svg.polygon(&time::around(curve, second, &x, &y), &policy.style.fill(0.15));
        }
        let line = time::curve(curve.iter().map(|range| range.middle), second, &x, &y);
        sheet.svg.polyline(&line, &policy.style.stroke(2.0));
        policy.style.marks(&mut sheet.svg, &line, None, Turn { at, of: with.len() });
    }
    sheet.top = area.top + area.height + BELOW;
    Some(Plot {
        name: "budget",
        reading: "A budget falls while calls fail and are retried, and rises with what succeeds. One that stays full \
                  was never in force; one that stays empty has cut all retries off.",
        svg: sheet.finish(&title),
        title,
    })
}
