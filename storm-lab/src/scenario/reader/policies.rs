//! What is compared.

use std::ops::Range;

use retry_grammar::diagnostics::{did_you_mean, list};
use retry_runtime::Backoff;
use toml::de::DeValue;

use super::{
    budgets::{self, Declared},
    table::{Table, quoted},
    tiers,
    value::Value,
    within,
};
use crate::{
    attribute::{self, Attribute, Payer},
    budget::BudgetSpec,
    scenario::{Hints, PolicySpec, Tier, keys::POLICY},
};

/// A policy, and where its parts are in the file.
pub(super) struct Read<'a> {
    pub(super) spec: PolicySpec,
    /// `retry`, and that of each of the spec's tiers.
    pub(super) places: Vec<Value<'a>>,
}

/// All policies. `tiers` is `None` where something is wrong with these; with `[contention]` there are none.
pub(super) fn read<'a>(
    value: &Value<'a>,
    shared: &[Declared<'_>],
    tiers: Option<&[Tier]>,
) -> Vec<Read<'a>> {
    let tables = value.tables(&POLICY);
    if tables.is_empty() && matches!(value.content, DeValue::Array(_)) {
        value.wrong("there is no policy: write [[policy]] with `name` and `retry`");
    }
    let mut used = vec![false; shared.len()];
    let mut names: Vec<&str> = Vec::new();
    let mut policies = Vec::new();
    for table in &tables {
        if let Some(place) = table.need("name")
            && let Some(name) = place.text()
        {
            if names.contains(&name) {
                place.wrong(format!(
                    "a second policy is called {}: give each a name of its own",
                    quoted(name)
                ));
            }
            names.push(name);
        }
        policies.extend(read_one(table, shared, &mut used, tiers));
    }
    // Where a policy could not be read, it may have been the one that uses it.
    if policies.len() == tables.len() {
        report_unused(shared.iter().zip(used).filter(|(_, used)| !used).map(|(budget, _)| budget));
    }
    policies
}

fn report_unused<'b, 'a: 'b>(budgets: impl Iterator<Item = &'b Declared<'a>>) {
    for budget in budgets {
        let name = quoted(&budget.name);
        budget.place.wrong_at(
            budget.place.key.clone(),
            format!("no policy uses the budget {name}: write `budget = \"…\"` with its name in a `retry`, or remove it"),
        );
    }
}

fn read_one<'a>(
    table: &Table<'a>,
    shared: &[Declared<'_>],
    used: &mut [bool],
    tiers: Option<&[Tier]>,
) -> Option<Read<'a>> {
    let own = table.get("budgets").map_or_else(Vec::new, budgets::read);
    let own_budget = table.get("own_budget").map(budgets::read_one);
    let backoff = table.get("backoff").map(backoff);
    let hints = table.get("hints").map_or(Some(Hints::Honoured), hints);
    let attribute = table.need("retry").and_then(|place| Some((attribute(place)?, place.clone())));
    let by_tier = table.get("tiers").map_or(Some(Vec::new()), |table| by_tier(table, tiers));
    let (attribute, by_tier) = (attribute?, by_tier?);

    let mut own_used = vec![false; own.len()];
    let mut named = Vec::new();
    let all = std::iter::once((&attribute.0, &attribute.1))
        .chain(by_tier.iter().map(|(_, a, place)| (a, place)));
    for (attribute, place) in all {
        let Payer::Named(name) = &attribute.budget else { continue };
        let budget = if let Some(at) = own.iter().position(|budget| budget.name == *name) {
            own_used[at] = true;
            &own[at].spec
        } else if let Some(at) = shared.iter().position(|budget| budget.name == *name) {
            used[at] = true;
            &shared[at].spec
        } else {
            let known = || {
                own.iter().map(|b| b.name.as_str()).chain(shared.iter().map(|b| b.name.as_str()))
            };
            let close = did_you_mean(name, known());
            place.wrong_at(
                budget_place(place, name),
                format!("there is no budget {}{close}: declare it, as in [budgets.orders] with `burst` and `ratio` below, or write `budget = none`", quoted(name)),
            );
            continue;
        };
        if let Some(budget) =
            budget.as_ref().filter(|_| !named.iter().any(|(known, _)| known == name))
        {
            named.push((name.clone(), budget.clone()));
        }
    }
    if let Some(place) = table.get("own_budget")
        && !has_own(&attribute.0, &by_tier, tiers)
    {
        place.wrong_at(
            place.key.clone(),
            "no call has a budget of its own here: remove `own_budget`, or name no `budget` in a `retry`",
        );
    }
    report_unused(own.iter().zip(own_used).filter(|(_, used)| !used).map(|(budget, _)| budget));
    let places = std::iter::once(attribute.1)
        .chain(by_tier.iter().map(|(_, _, place)| place.clone()))
        .collect();
    let over = |attribute: Attribute| match backoff {
        Some(Some(backoff)) => Attribute { policy: attribute.policy.backoff(backoff), ..attribute },
        _ => attribute,
    };
    let spec = PolicySpec {
        name: table.get("name").and_then(Value::any_text).unwrap_or_default().to_owned(),
        attribute: over(attribute.0),
        tiers: by_tier.into_iter().map(|(tier, attribute, _)| (tier, over(attribute))).collect(),
        budgets: named,
        own_budget: own_budget.map_or(Some(None::<BudgetSpec>), |budget| budget.map(Some))?,
        hints: hints?,
    };
    Some(Read { spec, places })
}

/// Whether any `retry` that holds somewhere names no budget.
fn has_own(
    everywhere: &Attribute,
    by_tier: &[(usize, Attribute, Value<'_>)],
    tiers: Option<&[Tier]>,
) -> bool {
    let overridden = tiers.is_some_and(|all| !all.is_empty() && by_tier.len() >= all.len());
    let rest = Some(everywhere).filter(|_| !overridden);
    let single = by_tier.iter().map(|(_, attribute, _)| attribute);
    rest.into_iter().chain(single).any(|attribute| attribute.budget == Payer::Own)
}

fn by_tier<'a>(
    value: &Value<'a>,
    all: Option<&[Tier]>,
) -> Option<Vec<(usize, Attribute, Value<'a>)>> {
    let read: Vec<_> = value.named().into_iter().map(|place| (attribute(&place), place)).collect();
    let all = all?;
    if all.is_empty() {
        value.wrong("with [contention] there are no tiers: write the policy as `retry`");
        return None;
    }
    let names: Vec<String> = all.iter().map(|tier| tier.name.clone()).collect();
    read.into_iter()
        .map(|(attribute, place)| {
            // The key is what names the tier.
            let key = Value { range: place.key.clone(), ..place.clone() };
            let tier = tiers::find(&names, &place.name, &key);
            Some((tier?, attribute?, place))
        })
        .collect()
}

/// A policy, read as the attribute is; what is wrong with it is pointed at within the text.
fn attribute(place: &Value<'_>) -> Option<Attribute> {
    let text = place.any_text()?;
    match attribute::read(text) {
        Ok(attribute) => Some(attribute),
        Err(mistakes) => {
            for mistake in &mistakes {
                place.wrong_at(part(place, text, &mistake.range()), mistake.message());
            }
            None
        }
    }
}

fn part(place: &Value<'_>, text: &str, range: &Range<usize>) -> Range<usize> {
    within::place(place.given(), place.range.start, text, range)
}

/// The budget's name within the policy, or all of it where it is written in another way.
fn budget_place(place: &Value<'_>, name: &str) -> Range<usize> {
    let text = place.any_text().unwrap_or_default();
    let quoted = format!("\"{name}\"");
    let after = text.find("budget").unwrap_or(0);
    match text[after..].find(&quoted) {
        Some(at) => part(place, text, &(after + at..after + at + quoted.len())),
        None => place.range.clone(),
    }
}

fn backoff(value: &Value<'_>) -> Option<Backoff> {
    let words =
        [("half_jitter", Backoff::half_jitter()), ("double_jitter", Backoff::double_jitter())];
    word(value, &words, "the others stand in `retry`, as in `backoff = \"full_jitter\"`")
}

fn hints(value: &Value<'_>) -> Option<Hints> {
    let words =
        [("honoured", Hints::Honoured), ("slept", Hints::Slept), ("ignored", Hints::Ignored)];
    word(value, &words, "it says what the client makes of a `Retry-After`")
}

fn word<T: Copy>(value: &Value<'_>, words: &[(&str, T)], note: &str) -> Option<T> {
    let text = value.any_text()?;
    let known = words.iter().find(|(word, _)| *word == text);
    if known.is_none() {
        let all = || words.iter().map(|(word, _)| *word);
        let (key, close) = (quoted(&value.name), did_you_mean(text, all()));
        value.wrong(format!(
            "{key} cannot be {}{close}: write one of {}; {note}",
            quoted(text),
            list(all())
        ));
    }
    known.map(|(_, value)| *value)
}
