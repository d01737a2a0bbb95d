//! Outcomes as curves: by policy, over time, over seeds.

use std::time::Duration;

use super::style::Style;
use crate::{
    outcome::{Outcome, Series},
    scenario::{Scenario, Window},
};

/// What one policy did, with each seed.
pub(super) struct Compared<'a> {
    pub(super) name: &'a str,
    pub(super) style: Style,
    pub(super) outcomes: Vec<&'a Outcome>,
}

/// By policy, in the scenario's order; what it does not name comes after. Policies without outcomes are left out,
/// and the others look as they would with them.
pub(super) fn by_policy<'a>(scenario: &'a Scenario, outcomes: &'a [Outcome]) -> Vec<Compared<'a>> {
    let mut names: Vec<&str> =
        scenario.policies.iter().map(|policy| policy.name.as_str()).collect();
    for outcome in outcomes {
        if !names.contains(&outcome.policy.as_str()) {
            names.push(&outcome.policy);
        }
    }
    let all = names.into_iter().enumerate().map(|(place, name)| {
        let own = outcomes.iter().filter(|outcome| outcome.policy == name).collect();
        Compared { name, style: Style::of(place), outcomes: own }
    });
    all.filter(|policy| !policy.outcomes.is_empty()).collect()
}

/// The first so many policies that have outcomes, and what they did, if there are more; the title says so.
pub(super) fn first(
    scenario: &Scenario,
    outcomes: &[Outcome],
    most: usize,
) -> Option<(Scenario, Vec<Outcome>)> {
    let policies = by_policy(scenario, outcomes);
    if policies.len() <= most {
        return None;
    }
    let names: Vec<&str> = policies.iter().take(most).map(|policy| policy.name).collect();
    let remark = format!("only the first {most} of {} policies are drawn", policies.len());
    let title = match scenario.title.as_str() {
        "" => remark,
        title => format!("{title} ({remark})"),
    };
    let drawn = outcomes.iter().filter(|outcome| names.contains(&outcome.policy.as_str()));
    Some((Scenario { title, ..scenario.clone() }, drawn.cloned().collect()))
}

/// The middle one of them, or the mean of the two in the middle; `None` without any.
pub(super) fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    Some(if values.len() % 2 == 1 { upper } else { f64::midpoint(values[middle - 1], upper) })
}

/// A figure over seeds: least, median, most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) low: f64,
    pub(super) middle: f64,
    pub(super) high: f64,
}

impl Range {
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let middle = median(&mut values)?;
        Some(Self { low: *values.first()?, middle, high: *values.last()? })
    }
}

/// Until when it is drawn, in whole steps: as long as calls keep coming, and until the last thing happened if that is
/// much later.
pub(super) fn end(scenario: &Scenario, outcomes: &[Outcome]) -> Duration {
    let busy = |counts: &[u32]| counts.iter().rposition(|count| *count > 0).map_or(0, |at| at + 1);
    let last = outcomes
        .iter()
        .flat_map(|outcome| {
            [&outcome.series.offered, &outcome.series.served, &outcome.series.retries]
        })
        .map(|counts| busy(counts))
        .max()
        .unwrap_or(0);
    let last = u32::try_from(last).unwrap_or(u32::MAX);
    let steps = scenario.duration.as_nanos().div_ceil(Series::STEP.as_nanos());
    let steps = u32::try_from(steps).unwrap_or(u32::MAX).max(1);
    // That calls end when no more begin is nothing to show.
    let much_later = last > steps.saturating_add(steps / 10);
    Series::STEP * if much_later { last } else { steps }
}

/// The narrowest round bucket with which so long a time takes at most so many.
pub(super) fn bucket(end: Duration, most: u32) -> Duration {
    const MILLIS: [u64; 16] = [
        10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000, 120_000, 300_000,
        600_000, 3_600_000,
    ];
    let narrowest =
        MILLIS.into_iter().map(Duration::from_millis).find(|width| end <= *width * most);
    narrowest.unwrap_or(Duration::from_secs(36_000))
}

/// Counts as rates, a second, in buckets of this width; the last one may be narrower.
#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub(super) fn rates(counts: &[u32], end: Duration, width: Duration) -> Vec<f64> {
    let sums = Series::buckets(counts, Window { from: Duration::ZERO, to: end }, width);
    let last = sums.len().saturating_sub(1);
    let length = |at: usize| {
        let rest = end.as_secs_f64() - width.as_secs_f64() * last as f64;
        if at == last { rest.max(Series::STEP.as_secs_f64()) } else { width.as_secs_f64() }
    };
    sums.into_iter().enumerate().map(|(at, sum)| sum as f64 / length(at)).collect()
}

/// Curves of several seeds as one of ranges; what is short ends in zeros.
pub(super) fn over_seeds(curves: &[Vec<f64>]) -> Vec<Range> {
    let longest = curves.iter().map(Vec::len).max().unwrap_or(0);
    let at =
        |at: usize| Range::of(curves.iter().map(|curve| curve.get(at).copied().unwrap_or(0.0)));
    (0..longest).filter_map(at).collect()
}

/// A span of time in words: 10 ms, 2 s, 5 min.
pub(crate) fn span(time: Duration) -> String {
    let brief = super::scale::brief;
    match time.as_secs_f64() {
        0.0 => "0 s".to_owned(),
        seconds if seconds < 0.001 => format!("{} µs", brief(seconds * 1e6)),
        seconds if seconds < 1.0 => format!("{} ms", brief(seconds * 1e3)),
        seconds if seconds < 600.0 => format!("{} s", brief(seconds)),
        seconds => format!("{} min", brief(seconds / 60.0)),
    }
}
