//! Rows as an aligned text.

use std::fmt::{self, Debug, Formatter};

use super::{ClassificationRow, Said};
use crate::Execution;

const HEADINGS: [&str; 10] =
    ["variant", "kind", "execution", "hint", "local", "base", "attempts", "cost", "label", "by"];

/// What nobody says.
const NOTHING: &str = "-";
/// What only the value tells.
const ASKED: &str = "?";

pub(super) fn write(rows: &[ClassificationRow], f: &mut Formatter<'_>) -> fmt::Result {
    let lines: Vec<_> =
        std::iter::once(HEADINGS.map(str::to_owned)).chain(rows.iter().map(cells)).collect();
    let mut widths = [0; HEADINGS.len()];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    for line in lines {
        let padded = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        writeln!(f, "{}", padded.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

fn cells(row: &ClassificationRow) -> [String; HEADINGS.len()] {
    let facts = &row.facts;
    let hint = match (row.hint(), facts.do_not_retry) {
        (Some(hint), _) => hint,
        (None, Said::Asked) => ASKED,
        (None, Said::Is(_)) => NOTHING,
    };
    [
        format!("{:indent$}{}", "", row.variant, indent = row.depth * 2),
        facts.kind.said().map_or(ASKED, crate::Kind::label).to_owned(),
        facts.execution.said().map_or(ASKED, execution).to_owned(),
        hint.to_owned(),
        match facts.local {
            Said::Is(true) => "local",
            Said::Is(false) => NOTHING,
            Said::Asked => ASKED,
        }
        .to_owned(),
        optional(facts.base),
        optional(facts.attempts),
        optional(facts.cost),
        row.label.unwrap_or(ASKED).to_owned(),
        row.by.to_string(),
    ]
}

/// The word that the derive has for it.
const fn execution(execution: Execution) -> &'static str {
    match execution {
        Execution::NotExecuted => "not_executed",
        Execution::MaybeExecuted => "maybe_executed",
        Execution::Executed => "executed",
    }
}

fn optional<T: Debug>(fact: Said<Option<T>>) -> String {
    match fact {
        Said::Is(Some(fact)) => format!("{fact:?}"),
        Said::Is(None) => NOTHING.to_owned(),
        Said::Asked => ASKED.to_owned(),
    }
}
