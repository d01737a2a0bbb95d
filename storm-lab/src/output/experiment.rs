//! The part of the table that only experiments have.

use super::{
    Style,
    grid::{Cell, Column, Grid, Group},
    style::{Paint, tame, width},
    table::{cell, name},
};
use crate::{
    measured::{Cost, Measured, PhaseFigures, Requests},
    summary::{Unit, Value},
};

/// A figure of a phase.
type Of = fn(&PhaseFigures) -> Value;

/// Figures by phase, what became of requests, what processes used, and what went wrong with the experiment.
pub(super) fn lines(measured: &Measured, style: Style) -> Vec<String> {
    let mut lines = vec![String::new()];
    lines.extend(phases(measured).lines(style));
    lines.push(String::new());
    lines.extend(costs(measured).lines(style));
    for cost in measured.costs.iter().filter(|cost| !cost.failures.is_empty()) {
        let failures = cost.failures.iter().map(|(label, count)| format!("{label} {count}"));
        let text = format!(
            "{}: failed attempts: {}",
            cost.policy,
            failures.collect::<Vec<_>>().join(", ")
        );
        lines.extend(style.wrap(&tame(&text, usize::MAX), 2));
    }
    for trouble in &measured.troubles {
        let text = tame(&format!("trouble: {trouble}"), usize::MAX);
        lines.extend(style.wrap(&text, 2).iter().map(|line| style.paint(line, Paint::Red)));
    }
    lines
}

/// A line for each policy and phase, and one for all phases together, with ratios to the first policy.
fn phases(measured: &Measured) -> Grid {
    let rows: Vec<(&Cost, &PhaseFigures)> = measured
        .costs
        .iter()
        .flat_map(|cost| cost.phases.iter().chain(&cost.whole).map(move |phase| (cost, phase)))
        .collect();
    let column = |heading: &str, unit: Unit, of: Of| Column {
        heading: heading.to_owned(),
        cells: rows.iter().map(|(_, phase)| cell(of(phase), unit, Paint::Plain)).collect(),
    };
    let ratio = |of: Of| Column {
        heading: "P/N".to_owned(),
        cells: rows.iter().map(|row| over_first(measured, *row, of)).collect(),
    };
    let group =
        |heading: &str, columns: Vec<Column>| Group { heading: heading.to_owned(), columns };
    let several = measured.costs.len() > 1;
    let divided = |heading: &str, unit: Unit, of: Of| {
        let mut columns = vec![column(heading, unit, of)];
        columns.extend(several.then(|| ratio(of)));
        columns
    };
    let span = |(_, phase): &(&Cost, &PhaseFigures)| {
        let (from, to) = (phase.window.from.as_secs_f64(), phase.window.to.as_secs_f64());
        Cell::new(format!("{from:.1}–{to:.1}"), Paint::Plain)
    };
    let spans = Column { heading: "s".to_owned(), cells: rows.iter().map(span).collect() };
    let longest = rows.iter().map(|(cost, _)| width(&name(&cost.policy).text)).max().unwrap_or(0);
    let label = |(cost, phase): &(&Cost, &PhaseFigures)| {
        let policy = name(&cost.policy).text;
        let gap = " ".repeat(longest - width(&policy) + 1);
        Cell::new(format!("{policy}{gap}{}", phase.name), Paint::Plain)
    };
    let mut cpu = divided("server", Unit::Share, |phase| Value::known(phase.server_cores));
    cpu.push(column("clients", Unit::Share, |phase| Value::known(phase.clients_cores)));
    Grid {
        corner: "by phase".to_owned(),
        labels: rows.iter().map(label).collect(),
        groups: vec![
            group("from–to", vec![spans]),
            group("calls", vec![column("/s", Unit::PerSecond, rate)]),
            group("success", vec![column("%", Unit::Share, |phase| Value::known(phase.success))]),
            group(
                "attempts",
                divided("per call", Unit::PerCall, |phase| Value::known(phase.attempts_per_call)),
            ),
            group(
                "peak retries/s",
                divided("1 s", Unit::PerSecond, |phase| Value::number(phase.peak_1s)),
            ),
            group(
                "in time",
                vec![column("/s", Unit::PerSecond, |phase| Value::number(phase.goodput))],
            ),
            group("CPU, % of a core", cpu),
        ],
    }
}

#[expect(clippy::cast_precision_loss, reason = "calls of minutes")]
fn rate(phase: &PhaseFigures) -> Value {
    Value::number(phase.calls as f64).over(Value::number(phase.window.length().as_secs_f64()))
}

/// Divided by the first policy's in the same phase; nothing for the first policy itself.
fn over_first(measured: &Measured, (cost, phase): (&Cost, &PhaseFigures), of: Of) -> Cell {
    let Some(first) = measured.costs.first().filter(|first| first.policy != cost.policy) else {
        return Cell::default();
    };
    let same = first.phases.iter().chain(&first.whole);
    let same = same.into_iter().find(|one| one.name == phase.name && one.window == phase.window);
    let ratio = same.map_or(Value::Undefined, |same| of(phase).over(of(same)));
    cell(ratio, Unit::Ratio, Paint::Plain)
}

/// What became of requests and calls, and how much memory was needed.
fn costs(measured: &Measured) -> Grid {
    let column = |heading: &str, unit: Unit, of: &dyn Fn(&Cost) -> Value| Column {
        heading: heading.to_owned(),
        cells: measured.costs.iter().map(|cost| cell(of(cost), unit, Paint::Plain)).collect(),
    };
    let requests = |heading: &str, of: fn(&Requests) -> u64| {
        column(heading, Unit::Count, &|cost| Value::count(of(&cost.requests)))
    };
    let group =
        |heading: &str, columns: Vec<Column>| Group { heading: heading.to_owned(), columns };
    Grid {
        corner: "at the server".to_owned(),
        labels: measured.costs.iter().map(|cost| name(&cost.policy)).collect(),
        groups: vec![
            group(
                "requests",
                vec![
                    requests("arrived", |all| all.arrived),
                    requests("served", |all| all.served),
                    requests("in vain", |all| all.wasted),
                ],
            ),
            group(
                "lost",
                vec![
                    requests("requests", |all| all.lost),
                    requests("answers", |all| all.unanswered),
                ],
            ),
            group(
                "503",
                vec![
                    requests("outage", |all| all.failed),
                    requests("queue full", |all| all.refused),
                ],
            ),
            group(
                "calls",
                vec![
                    column("failed", Unit::Count, &|cost| Value::count(cost.failed)),
                    column("unfinished", Unit::Count, &|cost| Value::count(cost.unfinished)),
                ],
            ),
            group(
                "peak memory, MiB",
                vec![
                    column("server", Unit::Mib, &|cost| Value::mib(cost.server.peak_kib)),
                    column("client", Unit::Mib, &|cost| Value::mib(cost.clients.peak_kib)),
                ],
            ),
        ],
    }
}
