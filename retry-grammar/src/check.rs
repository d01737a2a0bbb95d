//! What settings must say together.

mod delays;
mod hedge;
mod times;

use std::time::Duration;

use quote::ToTokens;

use super::keys::Key;
use super::model::{Attempts, Budget, Setting, Settings, Value};
use crate::diagnostics::{Errors, list};

/// Reports every contradiction. `given` has the keys whose value may have been refused already:
/// nothing follows from their absence.
pub(super) fn check(settings: &Settings, given: &[Key], errors: &mut Errors) {
    let given = |key: Key| given.contains(&key);
    unlimited(settings, given, errors);
    delays::delays(settings, given, errors);
    delays::adaptive(settings, given, errors);
    times::lengths(settings, errors);
    times::time_left(settings, errors);
    keyed(settings, given, errors);
    shed(settings, given, errors);
    times::cuts(settings, given, errors);
    hedge::hedge(settings, given, errors);
    times::last_untimed(settings, given, errors);
    times::expected(settings, errors);
}

/// A key keeps buckets apart under a budget.
fn keyed(settings: &Settings, given: impl Fn(Key) -> bool, errors: &mut Errors) {
    let Some(key) = &settings.budget_key else { return };
    if !given(Key::Budget) {
        errors.push(
            &key.key,
            "`budget_key` needs a `budget`: it keeps one bucket for each key under that budget, as in `budget = \"orders\"`",
        );
    } else if matches!(&settings.budget, Some(Setting { value: Budget::Off, .. })) {
        errors.push(
            &key.key,
            "`budget_key` has no effect beside `budget = none`: name the budget that all keys share, or leave it out",
        );
    }
}

/// What is shed depends on what the dependency has accepted, which a budget knows that many share.
fn shed(settings: &Settings, given: impl Fn(Key) -> bool, errors: &mut Errors) {
    let Some(flag) = &settings.shed else { return };
    let found = match settings.budget.as_ref().map(|budget| &budget.value) {
        Some(Budget::Named(_) | Budget::Static(_)) => return,
        // It was refused.
        None if given(Key::Budget) => return,
        None => "a function's own bucket sheds nothing",
        Some(Budget::Off) => "`budget = none` knows of no requests",
        Some(Budget::Expression(_)) => "of an expression nobody knows beforehand whether it sheds",
    };
    errors.push(
        &flag.key,
        format!(
            "`shed` needs a `budget` by name or by path, since {found}: add `budget = \"orders\"`"
        ),
    );
}

/// A supervising loop is surprised by each of these defaults.
fn unlimited(settings: &Settings, given: impl Fn(Key) -> bool, errors: &mut Errors) {
    let Some(attempts) = &settings.attempts else { return };
    if attempts.literal() != Some(&Attempts::Unlimited) {
        return;
    }
    let missing: Vec<Key> =
        [Key::Deadline, Key::Budget, Key::Inner].into_iter().filter(|key| !given(*key)).collect();
    if missing.is_empty() {
        return;
    }
    let remedies: Vec<&str> = missing
        .iter()
        .map(|key| match key {
            Key::Deadline => "`deadline = \"1h\"` or `deadline = none`",
            Key::Budget => "`budget = \"orders\"` or `budget = none`",
            _ => "`inner = \"allow\"` or `inner = \"suppress\"`",
        })
        .collect();
    errors.push(
        &attempts.tokens,
        format!(
            "\"unlimited\" attempts need an explicit {}: add {}",
            list(missing.iter().map(|key| key.name())),
            remedies.join(", ")
        ),
    );
}

fn ignored<T>(setting: Option<&Setting<T>>, why: &str, errors: &mut Errors) {
    if let Some(setting) = setting {
        let message = format!("`{}` has no effect: {why}, leave it out", setting.key);
        errors.push(&setting.tokens, message);
    }
}

fn literal(
    setting: Option<&Setting<Value<Duration>>>,
) -> Option<(&Setting<Value<Duration>>, &Duration)> {
    setting.and_then(|setting| setting.literal().map(|length| (setting, length)))
}

/// The value that stands later: the one that made the contradiction.
fn later<'a, T, U>(one: &'a Setting<T>, other: &'a Setting<U>) -> impl ToTokens + use<'a, T, U> {
    if one.position > other.position { &one.tokens } else { &other.tokens }
}

#[cfg(test)]
mod tests;
