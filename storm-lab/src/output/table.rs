//! The table that a terminal shows.

use super::{
    Finished, Style, experiment,
    grid::{Cell, Column, Grid, Group},
    style::{Paint, tame},
};
use crate::summary::{Measure, Row, Spread, Summary, Unit, Value};

/// Longer names of policies, tiers and reasons are cut.
const LONGEST_NAME: usize = 32;
/// More remarks on one policy are in the files only.
const MOST_NOTES: usize = 5;

/// A measure, the heading of its column, and whether its ratio follows.
type Entry = (Measure, &'static str, bool);

/// Groups of columns under their headings.
const GROUPS: [(&str, &[Entry]); 7] = [
    (
        "peak retries/s, in buckets of",
        &[(Measure::Peak10Ms, "10 ms", true), (Measure::Peak1S, "1 s", true)],
    ),
    ("attempts", &[(Measure::Amplification, "per call", true)]),
    ("success", &[(Measure::Success, "%", false)]),
    (
        "latency, ms",
        &[(Measure::P50, "p50", false), (Measure::P95, "p95", true), (Measure::P99, "p99", false)],
    ),
    ("utilisation", &[(Measure::Utilisation, "%", true)]),
    ("recovery", &[(Measure::Recovery, "s", false)]),
    ("retries", &[(Measure::Granted, "granted", false), (Measure::Refused, "refused", false)]),
];

/// Lays out one scenario's figures: what it is, a line for each policy with the median of each figure and its ratio to
/// the first policy's (`P/N`), below it the lowest and the highest where there are several seeds; then attempts by
/// tier, why calls stopped, what an experiment has besides (figures by phase, and what its processes used), and
/// remarks. Ends in a newline.
pub fn table(finished: &Finished, style: Style) -> String {
    let Finished { results, summary, .. } = finished;
    let mut lines = heading(finished, style);
    lines.push(String::new());
    lines.extend(figures(summary, results.scenario.watched_of_several()).lines(style));
    for grid in [tiers(summary), stops(summary)].into_iter().flatten() {
        lines.push(String::new());
        lines.extend(grid.lines(style));
    }
    if let Some(measured) = &finished.measured {
        lines.extend(experiment::lines(measured, style));
    }
    lines.push(String::new());
    for remark in remarks(finished) {
        lines.extend(style.wrap(&remark, 2));
    }
    for failure in &results.failures {
        let text = tame(&format!("error: {failure}"), usize::MAX);
        lines.extend(style.wrap(&text, 2).iter().map(|line| style.paint(line, Paint::Red)));
    }
    lines.join("\n") + "\n"
}

fn heading(finished: &Finished, style: Style) -> Vec<String> {
    let scenario = &finished.results.scenario;
    let title = tame(&format!("{}: {}", scenario.name, scenario.title), usize::MAX);
    let mut lines: Vec<String> =
        style.wrap(&title, 2).iter().map(|line| style.paint(line, Paint::Bold)).collect();
    let seeds = match scenario.seeds.len() {
        1 => "1 seed".to_owned(),
        seeds => format!("{seeds} seeds"),
    };
    let trigger = scenario
        .trigger()
        .map_or_else(|| "no trigger".to_owned(), |trigger| format!("trigger {trigger}"));
    lines.extend(style.wrap(&format!("{seeds}, counted {}, {trigger}", scenario.window), 2));
    if !finished.results.complete {
        let (done, all) =
            (finished.results.outcomes.len(), scenario.seeds.len() * scenario.policies.len());
        let partial = match &finished.measured {
            Some(measured) => format!("PARTIAL: {}", measured.partial()),
            None => format!(
                "PARTIAL: {done} of {all} simulations were finished; the figures are of these."
            ),
        };
        lines.extend(style.wrap(&partial, 2).iter().map(|line| style.paint(line, Paint::Yellow)));
    }
    lines
}

/// Which of a spread's values a line shows.
type Pick = fn(&Spread) -> Value;

/// Each line of the grid: a row of the summary, what is shown of it, and how.
fn picks(summary: &Summary) -> Vec<(&Row, &'static str, Pick, Paint)> {
    let mut lines: Vec<(&Row, &'static str, Pick, Paint)> = Vec::new();
    for row in &summary.rows {
        lines.push((row, "", |spread| spread.median, Paint::Plain));
        if row.seeds.len() > 1 {
            lines.push((row, "  lowest", |spread| spread.low, Paint::Dim));
            lines.push((row, "  highest", |spread| spread.high, Paint::Dim));
        }
    }
    lines
}

/// `tier` is the one that attempts and utilisation are about, where there are several.
fn figures(summary: &Summary, tier: Option<&str>) -> Grid {
    let lines = picks(summary);
    let label = |(row, label, _, paint): &(&Row, &'static str, Pick, Paint)| {
        if label.is_empty() { name(&row.policy) } else { Cell::new(*label, *paint) }
    };
    let defined =
        |measure: Measure| summary.rows.iter().any(|row| row.figure(measure).value.count > 0);
    let column = |measure: Measure, heading: &str, ratio: bool| {
        let cells = lines.iter().map(|(row, _, pick, paint)| {
            let figure = row.figure(measure);
            match (ratio, figure.ratio) {
                (false, _) => cell(pick(&figure.value), measure.unit(), *paint),
                (true, Some(ratio)) => cell(pick(&ratio), Unit::Ratio, *paint),
                // The first policy is not divided by itself.
                (true, None) => Cell::default(),
            }
        });
        Column { heading: heading.to_owned(), cells: cells.collect() }
    };
    let group = |(heading, measures): &(&str, &[Entry])| {
        let mut columns = Vec::new();
        for (measure, heading, ratio) in measures.iter().filter(|(measure, ..)| defined(*measure)) {
            columns.push(column(*measure, heading, false));
            if *ratio && summary.rows.len() > 1 {
                columns.push(column(*measure, "P/N", true));
            }
        }
        let about = match *heading {
            "attempts" => tier.map(|tier| format!("attempts at {}", tame(tier, LONGEST_NAME))),
            "utilisation" => {
                tier.map(|tier| format!("utilisation of {}", tame(tier, LONGEST_NAME)))
            }
            _ => None,
        };
        Group { heading: about.unwrap_or_else(|| (*heading).to_owned()), columns }
    };
    Grid {
        corner: "policy".to_owned(),
        labels: lines.iter().map(label).collect(),
        groups: GROUPS.iter().map(group).collect(),
    }
}

/// Attempts by tier, where there is more than one.
fn tiers(summary: &Summary) -> Option<Grid> {
    let names: Vec<&str> = summary
        .rows
        .iter()
        .find(|row| row.tiers.len() > 1)?
        .tiers
        .iter()
        .map(|tier| tier.name.as_str())
        .collect();
    let column = |(at, heading): (usize, &&str)| Column {
        heading: tame(heading, LONGEST_NAME),
        cells: summary
            .rows
            .iter()
            .map(|row| row.tiers.get(at).map_or(Value::Undefined, |tier| tier.attempts.median))
            .map(|value| cell(value, Unit::PerCall, Paint::Plain))
            .collect(),
    };
    let columns = names.iter().enumerate().map(column).collect();
    Some(simple(summary, "attempts per call, by tier", one_each(columns)))
}

/// How many calls were not retried any more, by why.
fn stops(summary: &Summary) -> Option<Grid> {
    let mut reasons: Vec<&str> =
        summary.rows.iter().flat_map(|row| row.stops.keys().copied()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    let column = |reason: &&str| Column {
        heading: tame(reason, LONGEST_NAME),
        cells: summary
            .rows
            .iter()
            .map(|row| match row.stops.get(*reason) {
                Some(count) => count.median,
                None if row.seeds.is_empty() => Value::Undefined,
                None => Value::Number(0.0),
            })
            .map(|value| cell(value, Unit::Count, Paint::Plain))
            .collect(),
    };
    let columns: Vec<Column> = reasons.iter().map(column).collect();
    (!columns.is_empty()).then(|| simple(summary, "calls that stopped, by why", one_each(columns)))
}

fn one_each(columns: Vec<Column>) -> Vec<Group> {
    columns
        .into_iter()
        .map(|column| Group { heading: String::new(), columns: vec![column] })
        .collect()
}

fn simple(summary: &Summary, corner: &str, groups: Vec<Group>) -> Grid {
    let labels = summary.rows.iter().map(|row| name(&row.policy)).collect();
    Grid { corner: corner.to_owned(), labels, groups }
}

/// What stands below: what the columns mean, what is missing, and the policies' own remarks.
fn remarks(finished: &Finished) -> Vec<String> {
    let Finished { results, summary, .. } = finished;
    let mut remarks = Vec::new();
    let several = summary.rows.iter().any(|row| row.seeds.len() > 1);
    if several {
        remarks.push(
            "Figures are medians over the seeds; below them the lowest and the highest.".to_owned(),
        );
    }
    if summary.rows.len() > 1 {
        let first = tame(&summary.first, LONGEST_NAME);
        remarks.push(format!(
            "P/N: each seed's figure divided by that of `{first}` with the same seed."
        ));
    }
    if summary.rows.iter().any(|row| row.figure(Measure::P50).value.count > 0) {
        remarks.push(
            "Latency is that of calls that succeeded, their retries and waits included.".to_owned(),
        );
    }
    let all = results.scenario.seeds.len();
    for row in &summary.rows {
        let policy = tame(&row.policy, LONGEST_NAME);
        if row.seeds.len() < all {
            remarks.push(format!("{policy}: {} of {all} seeds were finished.", row.seeds.len()));
        }
        for note in row.notes.iter().take(MOST_NOTES) {
            let text = tame(&note.text, usize::MAX);
            if note.seeds.len() == row.seeds.len() {
                remarks.push(format!("{policy}: {text}"));
            } else {
                remarks.push(format!(
                    "{policy}: {text} ({} of {} seeds)",
                    note.seeds.len(),
                    row.seeds.len()
                ));
            }
        }
        if let Some(more @ 1..) = row.notes.len().checked_sub(MOST_NOTES) {
            remarks.push(format!("{policy}: {more} more remarks are in the JSON and CSV files."));
        }
    }
    remarks
}

pub(super) fn name(policy: &str) -> Cell {
    Cell::new(tame(policy, LONGEST_NAME), Paint::Plain)
}

pub(super) fn cell(value: Value, unit: Unit, paint: Paint) -> Cell {
    match value {
        Value::Number(number) => Cell::new(unit.text(number), paint),
        Value::Never => Cell::new("never", Paint::Red),
        Value::Undefined => Cell::new("–", paint),
    }
}
