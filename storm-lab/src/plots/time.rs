//! What plots over time share: the axis, the trigger, and curves.

use std::time::Duration;

use super::{
    data::{Range, span},
    scale::Scale,
    sheet::{Area, Sample},
    style::ZONE,
    svg::Svg,
};
use crate::{
    outcome::Outcome,
    scenario::{FaultKind, Scenario, Window, Work},
};

/// The name of the axis.
pub(super) const NAME: &str = "time since the start (s)";

/// The axis of a panel.
pub(super) fn axis(area: Area, end: Duration) -> Scale {
    let about = if area.width > 500.0 { 10 } else { 5 };
    Scale::until(end.as_secs_f64(), area.left, area.left + area.width, about)
}

/// The trigger, as outcomes have it, else as the scenario does.
pub(super) fn trigger(scenario: &Scenario, outcomes: &[Outcome]) -> Option<Window> {
    outcomes.iter().find_map(|outcome| outcome.trigger).or_else(|| scenario.trigger())
}

/// What the legend says about it.
pub(super) fn trigger_entry(scenario: &Scenario, window: Window) -> (Sample, String) {
    let Window { from, to } = window;
    let faults = match &scenario.work {
        Work::Services(topology) => topology.faults.as_slice(),
        Work::Row(_) => &[],
    };
    let kind = faults.iter().find(|fault| fault.window == window);
    let kind = kind.map_or("trigger", |fault| word(&fault.kind));
    (Sample::Zone, format!("{kind}, {} to {}", span(from), span(to)))
}

const fn word(kind: &FaultKind) -> &'static str {
    match kind {
        FaultKind::Loss { .. } => "loss",
        FaultKind::Stall => "stall",
        FaultKind::Outage { .. } => "outage",
        FaultKind::Slow { .. } => "slow-down",
        FaultKind::Endpoints { .. } => "endpoints down",
        FaultKind::Throttle { .. } => "throttling",
        FaultKind::Page { .. } => "failing page",
    }
}

/// Shades it.
pub(super) fn shade(svg: &mut Svg, area: Area, x: &Scale, window: Option<Window>) {
    let Some(window) = window else { return };
    let from = x.at(window.from.as_secs_f64());
    // Narrow ones are still seen.
    let wide = (x.at(window.to.as_secs_f64()) - from).max(1.5);
    svg.rect((from, area.top), (wide, area.height), ZONE);
}

/// Points in the middle of buckets.
#[expect(clippy::cast_precision_loss, reason = "a few hundred buckets")]
pub(super) fn curve(
    values: impl Iterator<Item = f64>,
    width: Duration,
    x: &Scale,
    y: &Scale,
) -> Vec<(f64, f64)> {
    let middle = |at: usize| x.at((at as f64 + 0.5) * width.as_secs_f64());
    values.enumerate().map(|(at, value)| (middle(at), y.at(value))).collect()
}

/// Around a curve, from the least to the most of all seeds.
pub(super) fn around(ranges: &[Range], width: Duration, x: &Scale, y: &Scale) -> Vec<(f64, f64)> {
    let mut points = curve(ranges.iter().map(|range| range.high), width, x, y);
    let low = curve(ranges.iter().map(|range| range.low), width, x, y);
    points.extend(low.into_iter().rev());
    points
}

/// Stairs: each bucket as wide as it is.
#[expect(clippy::cast_precision_loss, reason = "a few thousand buckets")]
pub(super) fn stairs(values: &[f64], width: Duration, x: &Scale, y: &Scale) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for (at, value) in values.iter().enumerate() {
        let (from, to) = (at as f64 * width.as_secs_f64(), (at + 1) as f64 * width.as_secs_f64());
        let height = y.at(*value);
        match points.last_mut() {
            // Level ground needs no points of its own.
            Some(last) if (last.1 - height).abs() < 0.05 => last.0 = x.at(to),
            _ => points.extend([(x.at(from), height), (x.at(to), height)]),
        }
    }
    points
}

/// The most, and the least, of the buckets that share a pixel. Where there is a pixel and more for each: stairs and
/// the ground.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "pixels"
)]
pub(super) fn envelope(
    values: &[f64],
    width: Duration,
    x: &Scale,
    y: &Scale,
) -> (Vec<(f64, f64)>, Vec<(f64, f64)>) {
    let (from, to) = x.ends();
    let pixels = (to - from).max(1.0);
    if values.len() as f64 <= pixels {
        let upper = stairs(values, width, x, y);
        let ground = upper
            .first()
            .zip(upper.last())
            .map(|(first, last)| vec![(first.0, y.at(0.0)), (last.0, y.at(0.0))]);
        return (upper, ground.unwrap_or_default());
    }
    let mut columns: Vec<Option<(f64, f64)>> = vec![None; pixels as usize + 1];
    for (at, value) in values.iter().enumerate() {
        let pixel = x.at((at as f64 + 0.5) * width.as_secs_f64()) - from;
        let (low, high) = columns[pixel as usize].get_or_insert((*value, *value));
        (*low, *high) = (low.min(*value), high.max(*value));
    }
    let filled = || columns.iter().enumerate().filter_map(|(at, column)| Some((at, (*column)?)));
    let place = |at: usize| (from + at as f64 + 0.5).min(to);
    let upper = filled().map(|(at, (_, high))| (place(at), y.at(high))).collect();
    let lower = filled().map(|(at, (low, _))| (place(at), y.at(low))).collect();
    (thinned(upper), thinned(lower))
}

/// Without the points between two of the same height.
fn thinned(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let level = |one: &(f64, f64), other: &(f64, f64)| (one.1 - other.1).abs() < 0.05;
    let needed = |at: usize| {
        at == 0
            || at + 1 == points.len()
            || !level(&points[at - 1], &points[at])
            || !level(&points[at], &points[at + 1])
    };
    (0..points.len()).filter(|at| needed(*at)).map(|at| points[at]).collect()
}

/// The parts of a line that do not lie on the ground.
pub(super) fn above_ground(
    line: &[(f64, f64)],
    ground: f64,
) -> impl Iterator<Item = &[(f64, f64)]> {
    let low = move |point: &(f64, f64)| (point.1 - ground).abs() < 0.05;
    line.chunk_by(move |one, other| !(low(one) && low(other))).filter(|part| part.len() > 1)
}
