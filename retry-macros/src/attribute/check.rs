//! What settings must say together.

use std::time::Duration;

use quote::ToTokens;

use super::hedge;
use super::keys::Key;
use super::model::{Attempts, Backoff, Budget, Deadline, Setting, Settings, Strategy, Value};
use crate::diagnostics::{Errors, list};

/// The base delay where none is given.
const DEFAULT_BASE: Duration = Duration::from_millis(50);
/// `time_per_attempt` of an adaptive backoff where none is given.
const ADAPTIVE_TIME: Duration = Duration::from_millis(100);

/// Reports every contradiction. `given` has the keys whose value may have been refused already:
/// nothing follows from their absence.
pub(super) fn check(settings: &Settings, given: &[Key], errors: &mut Errors) {
    let given = |key: Key| given.contains(&key);
    unlimited(settings, given, errors);
    delays(settings, given, errors);
    adaptive(settings, given, errors);
    lengths(settings, errors);
    time_left(settings, errors);
    keyed(settings, given, errors);
    cuts(settings, given, errors);
    hedge::check(settings, given, errors);
    last_untimed(settings, given, errors);
    expected(settings, errors);
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

fn delays(settings: &Settings, given: impl Fn(Key) -> bool, errors: &mut Errors) {
    let strategy = settings.strategy();
    if strategy == Some(Strategy::None) {
        ignored(settings.base.as_ref(), "backoff \"none\" does not wait", errors);
        ignored(settings.max.as_ref(), "backoff \"none\" does not wait", errors);
        ignored(settings.factor.as_ref(), "backoff \"none\" does not wait", errors);
        return;
    }
    if let (Some(factor), Some(Setting { value: Backoff::BuiltIn(strategy), tokens, .. })) =
        (&settings.factor, &settings.backoff)
    {
        if !strategy.grows_by_factor() {
            errors.push(
                &factor.tokens,
                format!("`factor` has no effect: backoff {tokens} does not use it, leave it out"),
            );
        }
    }
    let Some((max, longest)) = literal(settings.max.as_ref()) else { return };
    match literal(settings.base.as_ref()) {
        Some((base, first)) if first > longest => errors.push(
            later(base, max),
            format!(
                "`base` ({}) is above `max` ({}): the first delay cannot be longer than the longest",
                base.tokens, max.tokens
            ),
        ),
        None if !given(Key::Base) && !given(Key::Policy) && DEFAULT_BASE > *longest => errors.push(
            &max.tokens,
            format!(
                "the default `base` ({DEFAULT_BASE:?}) is above `max` ({}): give a `base` as well",
                max.tokens
            ),
        ),
        _ => {}
    }
}

fn adaptive(settings: &Settings, given: impl Fn(Key) -> bool, errors: &mut Errors) {
    let is_adaptive = settings.backoff.as_ref().map(|backoff| backoff.value.is_adaptive());
    if let (Some(config), false) = (&settings.adaptive, is_adaptive.unwrap_or(given(Key::Backoff)))
    {
        errors.push(
            &config.key,
            "`adaptive` has no effect without `backoff = \"adaptive\"`: add that, or leave it out",
        );
    }
    if let (
        Some(true),
        Some(Setting { value: Deadline::After(Value::Literal(whole)), tokens, .. }),
    ) = (is_adaptive, &settings.deadline)
    {
        let divides = !given(Key::TimePerAttempt) && !given(Key::Policy);
        if divides && !whole.is_zero() && *whole < ADAPTIVE_TIME {
            errors.push(
                tokens,
                format!(
                    "`deadline` ({tokens}) leaves no time for an attempt, which backoff \"adaptive\" takes to need {ADAPTIVE_TIME:?}: give a `time_per_attempt` as well"
                ),
            );
        }
    }
}

fn ignored<T>(setting: Option<&Setting<T>>, why: &str, errors: &mut Errors) {
    if let Some(setting) = setting {
        let message = format!("`{}` has no effect: {why}, leave it out", setting.key);
        errors.push(&setting.tokens, message);
    }
}

/// Settings of no length are mistakes, not ways to switch something off.
fn lengths(settings: &Settings, errors: &mut Errors) {
    let mut check = |setting: Option<&Setting<Value<Duration>>>, meaning: &str| {
        if let Some((setting, &Duration::ZERO)) = literal(setting) {
            let message = format!("`{}` is zero: {meaning}", setting.key);
            errors.push(&setting.tokens, message);
        }
    };
    check(
        settings.max_retry_after.as_ref(),
        "every server hint would stop the call; write the longest wait that you accept",
    );
    check(
        settings.attempt_timeout.as_ref(),
        "no attempt could finish; leave it out if attempts are not to be cut",
    );
    check(
        settings.time_per_attempt.as_ref(),
        "write how long an attempt takes, or use `min_remaining`",
    );
    if let Some(Setting {
        value: Deadline::After(Value::Literal(Duration::ZERO)), tokens, ..
    }) = &settings.deadline
    {
        errors.push(
            tokens,
            "`deadline` is zero: no attempt could start; write `deadline = none` to have none",
        );
    }
}

/// What must be left for an attempt against the whole of the time.
fn time_left(settings: &Settings, errors: &mut Errors) {
    let Some(Setting {
        value: Deadline::After(Value::Literal(whole)),
        tokens: deadline,
        key,
        position,
        ..
    }) = &settings.deadline
    else {
        return;
    };
    if whole.is_zero() {
        return;
    }
    let later = |setting: &Setting<Value<Duration>>| {
        if setting.position > *position { setting.tokens.clone() } else { deadline.clone() }
    };
    if let Some((least, length)) = literal(settings.min_remaining.as_ref()) {
        if length >= whole {
            errors.push(
                later(least),
                format!(
                    "`min_remaining` ({}) leaves nothing of `{key}` ({deadline}): no attempt could start, write a smaller one",
                    least.tokens
                ),
            );
        }
    }
    if let Some((each, length)) = literal(settings.time_per_attempt.as_ref()) {
        if length > whole {
            errors.push(
                later(each),
                format!(
                    "`time_per_attempt` ({}) is above `{key}` ({deadline}): no attempt could start, write a smaller one",
                    each.tokens
                ),
            );
        }
    }
}

fn cuts(settings: &Settings, given: impl Fn(Key) -> bool, errors: &mut Errors) {
    let Some(uncut) = &settings.uncut else { return };
    if !given(Key::Deadline) {
        errors.push(
            &uncut.key,
            "`uncut` needs a `deadline`: it says that the deadline of this function does not stop a running attempt",
        );
    } else if matches!(&settings.deadline, Some(Setting { value: Deadline::Off, .. })) {
        errors.push(
            &uncut.key,
            "`uncut` has no effect beside `deadline = none`: there is nothing that could cut",
        );
    }
    if let Some(cut_error) = &settings.cut_error {
        errors.push(
            if cut_error.position > uncut.position { &cut_error.key } else { &uncut.key },
            "`cut_error` and `uncut` contradict each other: keep `cut_error` to cut a running attempt, `uncut` to let it run",
        );
    }
}

/// What may use all that is left must be told what is left, and be ended by it.
fn last_untimed(settings: &Settings, given: impl Fn(Key) -> bool, errors: &mut Errors) {
    let Some(flag) = &settings.last_attempt_untimed else { return };
    if !given(Key::AttemptTimeout) {
        errors.push(
            &flag.key,
            "`last_attempt_untimed` needs an `attempt_timeout`: it takes that from the last attempt",
        );
    }
    if !given(Key::Deadline)
        || matches!(&settings.deadline, Some(Setting { value: Deadline::Off, .. }))
    {
        errors.push(
            &flag.key,
            "`last_attempt_untimed` needs a `deadline` of this function: nothing else ends the last attempt",
        );
    }
    if let Some(uncut) = &settings.uncut {
        errors.push(
            if uncut.position > flag.position { &uncut.key } else { &flag.key },
            "`last_attempt_untimed` and `uncut` together leave nothing that ends the last attempt: keep one of the two",
        );
    }
    let why = match settings.attempts.as_ref().and_then(Setting::literal) {
        Some(Attempts::Count(1)) => {
            "the only attempt is the last one, leave it and the `attempt_timeout` out"
        }
        Some(Attempts::Unlimited) => "of \"unlimited\" attempts none is the last, leave it out",
        _ => return,
    };
    errors.push(&flag.key, format!("`last_attempt_untimed` has no effect: {why}"));
}

fn expected(settings: &Settings, errors: &mut Errors) {
    if matches!(&settings.deadline, Some(Setting { value: Deadline::Off, .. })) {
        ignored(
            settings.expect.as_ref(),
            "with `deadline = none` there is time for every attempt",
            errors,
        );
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
