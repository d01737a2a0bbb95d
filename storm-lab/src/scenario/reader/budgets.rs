//! Budgets that policies name.

use toml::de::DeValue;

use super::{table::entries, value::Value};
use crate::budget::{BudgetSpec, PairValue};

/// A budget that a file declares.
pub(super) struct Declared<'a> {
    pub(super) name: String,
    pub(super) place: Value<'a>,
    /// `None` if something is wrong with it.
    pub(super) spec: Option<BudgetSpec>,
}

/// Those of a table whose keys are their names.
pub(super) fn read<'a>(value: &Value<'a>) -> Vec<Declared<'a>> {
    let declared = |place: Value<'a>| {
        if place.name.trim().is_empty() {
            place.wrong_at(
                place.key.clone(),
                "a budget has no name: write one, as in [budgets.orders]",
            );
        }
        Declared { name: place.name.clone(), spec: read_one(&place), place }
    };
    value.named().into_iter().map(declared).collect()
}

/// One budget, whose keys the budgets' own reader knows.
pub(super) fn read_one(value: &Value<'_>) -> Option<BudgetSpec> {
    let DeValue::Table(table) = value.content else {
        return value.not("a table", "`{ burst = 10, ratio = 0.1 }`");
    };
    let entries = entries(value.source, &value.path, table);
    let pairs: Vec<Option<(&str, PairValue)>> =
        entries.iter().map(|entry| pair(entry).map(|pair| (entry.name.as_str(), pair))).collect();
    let complete = pairs.iter().all(Option::is_some);
    match BudgetSpec::from_pairs(pairs.into_iter().flatten()) {
        Ok(spec) => Some(spec).filter(|_| complete),
        Err(mistakes) => {
            for mistake in mistakes {
                match entries.iter().find(|entry| entry.name == mistake.key) {
                    Some(entry) => {
                        let unknown = entry.key.start..entry.range.end.max(entry.key.end);
                        entry.wrong_at(unknown, mistake.message);
                    }
                    None => value.wrong(mistake.message),
                }
            }
            None
        }
    }
}

fn pair(value: &Value<'_>) -> Option<PairValue> {
    match value.content {
        DeValue::Integer(integer) => {
            let number = i64::from_str_radix(integer.as_str(), integer.radix()).ok();
            if number.is_none() {
                value.wrong("the number is far beyond any that a budget has: write a smaller one");
            }
            number.map(PairValue::Integer)
        }
        DeValue::Float(float) => float.as_str().parse().ok().map(PairValue::Float),
        DeValue::String(text) => Some(PairValue::Text(text.to_string())),
        DeValue::Boolean(flag) => Some(PairValue::Text(flag.to_string())),
        _ => value.not("a number or a text", "one such as `0.1` or \"60s\""),
    }
}
