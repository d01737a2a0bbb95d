//! What plots over time share: the axis, what goes wrong when, and curves.

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

/// What goes wrong while something is drawn.
pub(super) struct Zones {
    end: Duration,
    /// Whose fault it is, and when, in the order of time.
    shown: Vec<(String, Window)>,
}

impl Zones {
    /// All faults that begin or end in what is drawn: one that lasts all the time would shade everything.
    pub(super) fn of(scenario: &Scenario, outcomes: &[Outcome], end: Duration) -> Self {
        let mut shown = Vec::new();
        if let Work::Services(topology) = &scenario.work {
            for fault in &topology.faults {
                let kind = word(&fault.kind);
                let tier = topology.tiers.get(fault.tier).filter(|_| topology.tiers.len() > 1);
                let whose =
                    tier.map_or_else(|| kind.to_owned(), |tier| format!("{}: {kind}", tier.name));
                shown.push((whose, fault.window));
            }
        }
        let trigger = outcomes.iter().find_map(|outcome| outcome.trigger);
        if let Some(trigger) =
            trigger.filter(|window| shown.iter().all(|(_, known)| known != window))
        {
            shown.push(("trigger".to_owned(), trigger));
        }
        shown.retain(|(_, window)| {
            window.from < end
                && window.from < window.to
                && !(window.from.is_zero() && window.to >= end)
        });
        shown.sort_by_key(|(_, window)| (window.from, window.to));
        Self { end, shown }
    }

    /// What the legend says about them: what is wrong in the same way several times has one entry.
    pub(super) fn legend(&self) -> Vec<(Sample, String)> {
        let mut entries: Vec<(&str, Vec<Window>)> = Vec::new();
        for (whose, window) in &self.shown {
            match entries.iter_mut().find(|(known, _)| known == whose) {
                Some((_, windows)) => windows.push(*window),
                None => entries.push((whose, vec![*window])),
            }
        }
        let entry = |(whose, windows): (&str, Vec<Window>)| {
            let when = match windows.as_slice() {
                [one] => self.when(*one),
                [one, other] => format!("{}; {}", self.when(*one), self.when(*other)),
                [first, ..] => format!("from {} on, {} times", span(first.from), windows.len()),
                [] => String::new(),
            };
            (Sample::Zone, format!("{whose} {when}"))
        };
        entries.into_iter().map(entry).collect()
    }

    fn when(&self, window: Window) -> String {
        let from = span(window.from);
        if window.to >= self.end {
            format!("from {from} to the end")
        } else {
            format!("at {from}, for {}", span(window.length()))
        }
    }

    /// Shades them; where two are wrong at once, it is darker.
    pub(super) fn shade(&self, svg: &mut Svg, area: Area, x: &Scale) {
        for (_, window) in &self.shown {
            let from = x.at(window.from.as_secs_f64());
            // Narrow ones are still seen.
            let wide = (x.at(window.to.min(self.end).as_secs_f64()) - from).max(1.5);
            svg.rect((from, area.top), (wide, area.height), ZONE);
        }
    }
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

/// Pixels.
pub(super) type Points = Vec<(f64, f64)>;

/// The most, and the least, of the buckets that share a pixel. Where there is a pixel and more for each: stairs and
/// the ground.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "pixels"
)]
pub(super) fn envelope(values: &[f64], width: Duration, x: &Scale, y: &Scale) -> (Points, Points) {
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
    let upper: Points = filled().map(|(at, (_, high))| (place(at), y.at(high))).collect();
    let lower: Points = filled().map(|(at, (low, _))| (place(at), y.at(low))).collect();
    (thinned(&upper), thinned(&lower))
}

/// Without the points between two of the same height.
fn thinned(points: &[(f64, f64)]) -> Points {
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
