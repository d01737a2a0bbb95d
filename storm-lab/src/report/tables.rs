//! The tables of the page. Each figure is in its cell's `data-value` too.

use std::fmt::Write;

use super::Section;
use crate::{
    plots::{escaped, swatch},
    summary::{Figure, Measure, Spread, Summary, Unit, Value},
};

/// A measure, its heading, what it means, and whether the ratio to the first policy matters.
type Column = (Measure, &'static str, &'static str, bool);

/// What is asked first: whether calls succeeded, and what that took.
const FIRST: [Column; 5] = [
    (Measure::Success, "success,\u{a0}%", "logical calls that succeeded", true),
    (
        Measure::Amplification,
        "attempts per call",
        "attempts at the tier that is watched for each logical call",
        true,
    ),
    (
        Measure::Recovery,
        "recovery,\u{a0}s",
        "from the trigger's end until calls succeed as before it",
        false,
    ),
    (
        Measure::Peak10Ms,
        "peak retries/s, 10\u{a0}ms",
        "the most retries in any 10 ms, as a rate",
        true,
    ),
    (Measure::Peak1S, "peak retries/s, 1\u{a0}s", "the most retries in any second", true),
];

/// The rest, in a table of its own: together they are wider than most screens.
const SECOND: [Column; 7] = [
    (Measure::P50, "p50,\u{a0}ms", "half of the calls that succeeded took no longer", false),
    (Measure::P95, "p95,\u{a0}ms", "95 % of the calls that succeeded took no longer", true),
    (Measure::P99, "p99,\u{a0}ms", "99 % of the calls that succeeded took no longer", true),
    (
        Measure::Utilisation,
        "utilisation, %",
        "how busy the server of the tier that is watched was",
        true,
    ),
    (Measure::Granted, "retries granted", "retries that budgets have granted, at all tiers", false),
    (Measure::Refused, "retries refused", "retries that budgets have refused, at all tiers", false),
    (Measure::Calls, "calls", "logical calls that were counted", false),
];

/// A figure in words.
pub(super) fn text(value: Value, unit: Unit) -> String {
    match value {
        Value::Number(number) => unit.text(number),
        Value::Never => "never".to_owned(),
        Value::Undefined => "–".to_owned(),
    }
}

/// A figure for programs: a number as it is shown, or a word; nothing if there is none.
pub(super) fn plain(value: Value, unit: Unit) -> String {
    match value {
        Value::Number(number) => unit.shown(number).to_string(),
        Value::Never => "never".to_owned(),
        Value::Undefined => String::new(),
    }
}

fn range(spread: &Spread, unit: Unit) -> Option<String> {
    let [low, high] = [spread.low, spread.high].map(|value| text(value, unit));
    (spread.count > 1 && low != high).then(|| format!("{low}–{high}"))
}

pub(super) fn cell(
    page: &mut String,
    name: &str,
    spread: &Spread,
    unit: Unit,
    ratio: Option<Spread>,
) {
    let [value, low, high] =
        [spread.median, spread.low, spread.high].map(|value| plain(value, unit));
    let _ = write!(
        page,
        "<td data-measure=\"{}\" data-value=\"{value}\" data-low=\"{low}\" data-high=\"{high}\"",
        escaped(name)
    );
    if let Some(ratio) = &ratio {
        let [value, low, high] =
            [ratio.median, ratio.low, ratio.high].map(|value| plain(value, Unit::Ratio));
        let _ = write!(
            page,
            " data-ratio=\"{value}\" data-ratio-low=\"{low}\" data-ratio-high=\"{high}\""
        );
    }
    let _ = write!(page, "><span class=\"value\">{}</span>", text(spread.median, unit));
    if let Some(range) = range(spread, unit) {
        let _ = write!(page, "<small>{range}</small>");
    }
    if let Some(ratio) = ratio.filter(|ratio| ratio.count > 0) {
        let _ = write!(page, "<small class=\"ratio\">×{}</small>", text(ratio.median, Unit::Ratio));
        if let Some(range) = range(&ratio, Unit::Ratio) {
            let _ = write!(page, "<small>×{range}</small>");
        }
    }
    page.push_str("</td>");
}

pub(super) fn open(page: &mut String, class: &str, name: &str) {
    let region =
        format!("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\">");
    let _ = writeln!(page, "{region}<table class=\"{class}\">");
}

pub(super) const CLOSE: &str = "</tbody></table></div>\n";

/// A row for each policy: medians, ranges over seeds, and ratios to the first policy.
pub(super) fn figures(page: &mut String, section: &Section<'_>) {
    let summary = section.summary;
    let seeds = summary.rows.iter().map(|row| row.seeds.len()).max().unwrap_or(0);
    let over = if seeds > 1 {
        format!("Medians of {seeds} seeds, below them the range. ")
    } else {
        String::new()
    };
    let ratios = if summary.rows.len() > 1 {
        format!(
            "× is the figure divided by that of “{}” with the same seed (P/N). ",
            escaped(&summary.first)
        )
    } else {
        String::new()
    };
    let window = section.scenario.window;
    let _ = writeln!(page, "<p class=\"soft\">{over}{ratios}Counted: {window}.</p>");
    columns(page, section, &FIRST, "figures by policy");
    columns(page, section, &SECOND, "times, utilisation and budgets by policy");
}

/// Those that are defined for any policy; without any, no table.
fn columns(page: &mut String, section: &Section<'_>, columns: &[Column], name: &str) {
    let summary = section.summary;
    let defined =
        |measure: Measure| summary.rows.iter().any(|row| row.figure(measure).value.count > 0);
    let columns: Vec<_> = columns.iter().filter(|column| defined(column.0)).collect();
    if columns.is_empty() {
        return;
    }
    open(page, "figures", name);
    page.push_str("<thead><tr><th scope=\"col\">policy</th>");
    let tier = section.scenario.watched_of_several();
    for (measure, heading, meaning, _) in &columns {
        let heading = match (measure, tier) {
            (Measure::Amplification, Some(tier)) => format!("attempts per call, at {tier}"),
            (Measure::Utilisation, Some(tier)) => format!("utilisation of {tier}, %"),
            _ => (*heading).to_owned(),
        };
        let (heading, meaning) = (escaped(&heading), escaped(meaning));
        let _ = write!(page, "<th scope=\"col\" title=\"{meaning}\">{heading}</th>");
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for (place, row) in summary.rows.iter().enumerate() {
        let name = escaped(&row.policy);
        let mark = swatch(place);
        let _ = write!(page, "<tr data-policy=\"{name}\"><th scope=\"row\">{mark} {name}");
        if row.seeds.is_empty() {
            page.push_str("<small>nothing was finished</small>");
        }
        page.push_str("</th>");
        for (measure, _, _, ratio) in &columns {
            let Figure { value, ratio: over } = row.figure(*measure);
            cell(page, measure.key(), &value, measure.unit(), over.filter(|_| *ratio));
        }
        page.push_str("</tr>\n");
    }
    page.push_str(CLOSE);
}

/// What must be known beside the figures.
pub(super) fn notes(page: &mut String, summary: &Summary) {
    let noted = summary.rows.iter().flat_map(|row| row.notes.iter().map(move |note| (row, note)));
    let mut open = false;
    for (row, note) in noted {
        if !open {
            page.push_str("<h3>Notes</h3>\n<ul class=\"notes\">\n");
            open = true;
        }
        let (policy, text) = (escaped(&row.policy), escaped(&note.text));
        let seeds = if note.seeds.len() == row.seeds.len() {
            String::new()
        } else {
            format!(" <small>(seeds {})</small>", list(&note.seeds))
        };
        let _ = writeln!(
            page,
            "<li data-policy=\"{policy}\"><strong>{policy}:</strong> {text}{seeds}</li>"
        );
    }
    if open {
        page.push_str("</ul>\n");
    }
}

fn list(seeds: &[u64]) -> String {
    seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

/// Tier by tier.
pub(super) fn tiers(page: &mut String, summary: &Summary) {
    if summary.rows.iter().all(|row| row.tiers.is_empty()) {
        return;
    }
    page.push_str("<details><summary>Tier by tier</summary>\n");
    open(page, "tiers", "figures by tier");
    page.push_str(
        "<thead><tr><th scope=\"col\">policy</th><th scope=\"col\">tier</th><th scope=\"col\">attempts per call</th>\
         <th scope=\"col\">utilisation, %</th><th scope=\"col\">served in vain, %</th><th scope=\"col\">retries granted</th>\
         <th scope=\"col\">retries refused</th></tr></thead>\n<tbody>\n",
    );
    for row in &summary.rows {
        for tier in &row.tiers {
            let (policy, name) = (escaped(&row.policy), escaped(&tier.name));
            let _ = write!(
                page,
                "<tr data-policy=\"{policy}\" data-tier=\"{name}\"><th scope=\"row\">{policy}</th><td>{name}</td>"
            );
            cell(page, "attempts_per_call", &tier.attempts, Unit::PerCall, None);
            cell(page, "utilisation_percent", &tier.utilisation, Unit::Share, None);
            cell(page, "wasted_percent", &tier.wasted, Unit::Share, None);
            cell(page, "granted_retries", &tier.granted, Unit::Count, None);
            cell(page, "refused_retries", &tier.refused, Unit::Count, None);
            page.push_str("</tr>\n");
        }
    }
    page.push_str(CLOSE);
    page.push_str("</details>\n");
}

/// Why calls were not retried any more.
pub(super) fn stops(page: &mut String, summary: &Summary) {
    if summary.rows.iter().all(|row| row.stops.is_empty()) {
        return;
    }
    page.push_str("<details><summary>Why calls were not retried any more</summary>\n");
    open(page, "stops", "reasons by policy");
    page.push_str(
        "<thead><tr><th scope=\"col\">policy</th><th scope=\"col\">reason</th><th scope=\"col\">calls</th></tr></thead>\n<tbody>\n",
    );
    for row in &summary.rows {
        for (reason, calls) in &row.stops {
            let (policy, reason) = (escaped(&row.policy), escaped(reason));
            let _ = write!(
                page,
                "<tr data-policy=\"{policy}\"><th scope=\"row\">{policy}</th><td>{reason}</td>"
            );
            cell(page, &reason, calls, Unit::Count, None);
            page.push_str("</tr>\n");
        }
    }
    page.push_str(CLOSE);
    page.push_str("</details>\n");
}

/// Each seed's figures.
pub(super) fn seeds(page: &mut String, section: &Section<'_>) {
    if section.outcomes.is_empty() {
        return;
    }
    page.push_str("<details><summary>Each seed</summary>\n");
    open(page, "seeds", "figures by policy and seed");
    page.push_str("<thead><tr><th scope=\"col\">policy</th><th scope=\"col\">seed</th>");
    for (_, heading, _, _) in FIRST.iter().chain(&SECOND) {
        let _ = write!(page, "<th scope=\"col\">{}</th>", escaped(heading));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for outcome in section.outcomes {
        let (policy, seed) = (escaped(&outcome.policy), outcome.seed);
        let _ = write!(
            page,
            "<tr data-policy=\"{policy}\" data-seed=\"{seed}\"><th scope=\"row\">{policy}</th><td>{seed}</td>"
        );
        for (measure, _, _, _) in FIRST.iter().chain(&SECOND) {
            let value = measure.of(section.scenario, outcome);
            let (name, unit) = (measure.key(), measure.unit());
            let (plain, text) = (plain(value, unit), text(value, unit));
            let _ = write!(page, "<td data-measure=\"{name}\" data-value=\"{plain}\">{text}</td>");
        }
        page.push_str("</tr>\n");
    }
    page.push_str(CLOSE);
    page.push_str("</details>\n");
}
