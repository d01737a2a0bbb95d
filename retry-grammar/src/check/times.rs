//! What the settings of time limits must say together.

use std::time::Duration;

use super::{ignored, literal};
use crate::diagnostics::Errors;
use crate::keys::Key;
use crate::model::{Attempts, Deadline, Setting, Settings, Value};

/// Settings of no length are mistakes, not ways to switch something off.
pub(super) fn lengths(settings: &Settings, errors: &mut Errors) {
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
pub(super) fn time_left(settings: &Settings, errors: &mut Errors) {
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

/// A deadline that lets a running attempt end.
pub(super) fn cuts(settings: &Settings, given: impl Fn(Key) -> bool, errors: &mut Errors) {
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
pub(super) fn last_untimed(settings: &Settings, given: impl Fn(Key) -> bool, errors: &mut Errors) {
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

/// How long an attempt is expected to take matters before a deadline alone.
pub(super) fn expected(settings: &Settings, errors: &mut Errors) {
    if matches!(&settings.deadline, Some(Setting { value: Deadline::Off, .. })) {
        ignored(
            settings.expect.as_ref(),
            "with `deadline = none` there is time for every attempt",
            errors,
        );
    }
}
