//! How long calls take, by percentile.

use std::time::Duration;

use hdrhistogram::Histogram;

use super::{
    Plot,
    data::{Compared, Range, by_policy, span},
    scale::Scale,
    sheet::{Area, BELOW, Names, Sample, Sheet, labels_of},
    style::{LIMIT, Turn},
};
use crate::{
    outcome::Outcome,
    scenario::{Scenario, Work},
};

/// What is written at the axis of percentiles; each nine takes as much room as the one before.
const PERCENTILES: [(f64, &str); 7] = [
    (0.0, "0"),
    (0.5, "50"),
    (0.75, "75"),
    (0.9, "90"),
    (0.95, "95"),
    (0.99, "99"),
    (0.999, "99.9"),
];
/// Points to a nine.
const POINTS: u32 = 24;

/// Where a percentile stands: 0 at none, 1 at 90 %, 3 at 99.9 %.
fn nines(quantile: f64) -> f64 {
    -(1.0 - quantile).log10()
}

fn micros(histogram: &Histogram<u64>, quantile: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "microseconds of minutes")]
    let micros = histogram.value_at_quantile(quantile) as f64;
    micros.max(1.0)
}

/// Nines and milliseconds, the median over seeds; empty where there were no such calls.
fn curve(policy: &Compared<'_>, which: fn(&Outcome) -> &Histogram<u64>) -> Vec<(f64, f64)> {
    let histograms: Vec<_> = policy
        .outcomes
        .iter()
        .map(|outcome| which(outcome))
        .filter(|times| !times.is_empty())
        .collect();
    let at = |point: u32| {
        let nines = f64::from(point) / f64::from(POINTS);
        let quantile = 1.0 - 10_f64.powf(-nines);
        let times = Range::of(histograms.iter().map(|times| micros(times, quantile)))?;
        Some((nines, times.middle / 1e3))
    };
    (0..=3 * POINTS).filter_map(at).collect()
}

fn timeout(scenario: &Scenario) -> Option<Duration> {
    let Work::Services(topology) = &scenario.work else { return None };
    topology.tiers.first()?.timeout
}

/// `None` where no call has ended.
pub(super) fn plot(scenario: &Scenario, outcomes: &[Outcome]) -> Option<Plot> {
    let policies = by_policy(scenario, outcomes);
    let curves = |which: fn(&Outcome) -> &Histogram<u64>| -> Vec<Vec<(f64, f64)>> {
        policies.iter().map(|policy| curve(policy, which)).collect()
    };
    let (good, all) = (curves(|outcome| &outcome.latency), curves(|outcome| &outcome.latency_all));
    let timeout = timeout(scenario).map(|timeout| (timeout, timeout.as_secs_f64() * 1e3));
    let times = || good.iter().chain(&all).flatten().map(|(_, time)| *time);
    let least = times().min_by(f64::total_cmp)?;
    let most = times().chain(timeout.map(|(_, millis)| millis)).fold(0.0, f64::max);

    let title = format!("{}: how long calls take", scenario.name);
    let seeds = policies.iter().map(|policy| policy.outcomes.len()).max().unwrap_or(0);
    let over = if seeds > 1 { format!(" (median of {seeds} seeds)") } else { String::new() };
    let how = format!(
        "So many percent of the logical calls took no longer{over}. Both axes are logarithmic."
    );
    let mut sheet = Sheet::new(&title, &[&scenario.title, &how]);
    let mut legend: Vec<_> = policies
        .iter()
        .zip(&good)
        .map(|(policy, curve)| {
            let none = if curve.is_empty() { ": no call succeeded" } else { "" };
            (Sample::Line(policy.style), format!("{}{none}", policy.name))
        })
        .collect();
    if let Some((timeout, _)) = timeout {
        legend.push((Sample::Limit, format!("timeout of an attempt: {}", span(timeout))));
    }
    sheet.legend(&legend);

    let labels = labels_of(&Scale::logarithmic(least, most, 1.0, 0.0));
    let cells = sheet.cells(2, 2, 260.0, labels, 30.0);
    let panels = [("calls that succeeded", &good), ("all calls, however they ended", &all)];
    for ((heading, curves), area) in panels.into_iter().zip(&cells) {
        let x = percentiles(*area);
        let y = Scale::logarithmic(least, most, area.top + area.height, area.top);
        sheet.axes(*area, &x, &y, Names { x: Some("percentile"), y: Some("time (ms)") });
        sheet.heading(*area, None, heading);
        if let Some((_, millis)) = timeout.filter(|(_, millis)| y.has(*millis)) {
            let (from, to) = x.ends();
            sheet.svg.line((from, y.at(millis)), (to, y.at(millis)), LIMIT);
        }
        for (at, (policy, curve)) in policies.iter().zip(curves).enumerate() {
            let line: Vec<_> =
                curve.iter().map(|(nines, time)| (x.at(*nines), y.at(*time))).collect();
            sheet.svg.polyline(&line, &policy.style.stroke(2.0));
            policy.style.marks(&mut sheet.svg, &line, None, Turn { at, of: policies.len() });
        }
    }
    sheet.top = cells.last().map_or(sheet.top, |area| area.top + area.height + BELOW);
    Some(Plot {
        name: "latency",
        reading: "Read the time at 50 for what is usual, and at 99 or 99.9 for what the unlucky wait. Where a line steps \
                  up, calls have needed another attempt. At the right, a policy that gives up early lies low: its \
                  callers know soon.",
        svg: sheet.finish(&title),
        title,
    })
}

fn percentiles(area: Area) -> Scale {
    let mut scale = Scale::until(3.0, area.left, area.left + area.width, 3);
    scale.ticks = PERCENTILES.map(|(quantile, text)| (nines(quantile), text.to_owned())).to_vec();
    scale
}
