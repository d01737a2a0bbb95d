//! What hedges and the settings beside them must say together.

use std::time::Duration;

use crate::diagnostics::Errors;
use crate::keys::Key;
use crate::model::{Attempts, Deadline, Hedge, Setting, Settings, Value};

/// What a hedge asks of the settings beside it.
pub(super) fn hedge(settings: &Settings, given: impl Fn(Key) -> bool, errors: &mut Errors) {
    let Some(hedge) = &settings.hedge else {
        if let Some(max) = settings.hedge_max.as_ref().filter(|_| !given(Key::Hedge)) {
            errors.push(
                &max.key,
                "`hedge_max` needs a `hedge`: add the delay after which another attempt starts, as in `hedge = \"100ms\"`",
            );
        }
        return;
    };
    // A value that was refused has its error already.
    if !given(Key::Idempotent) || never(settings) {
        errors.push(
            &hedge.key,
            "`hedge` lets two attempts run at the same time, both of which may be carried out: add `idempotent` if that is harmless",
        );
    }
    if let Some(blocking) = &settings.blocking {
        errors.push(
            if hedge.position > blocking.position { &hedge.key } else { &blocking.key },
            "`hedge` is not for `blocking` functions, whose thread runs one attempt at a time: leave one of the two out",
        );
    }
    attempts(settings, hedge, errors);
    delay(settings, hedge, errors);
}

/// Whether this says `idempotent = false`.
fn never(settings: &Settings) -> bool {
    settings.idempotent.as_ref().and_then(|idempotent| idempotent.value.literal()) == Some(false)
}

/// Hedges count as attempts.
fn attempts(settings: &Settings, hedge: &Setting<Hedge>, errors: &mut Errors) {
    let Some((attempts, Attempts::Count(count))) =
        settings.attempts.as_ref().and_then(|all| all.literal().map(|count| (all, count)))
    else {
        return;
    };
    if *count == 1 {
        errors.push(
            &hedge.key,
            "`hedge` has no effect beside `attempts = 1`, since it starts a second attempt: write `attempts = 2` or more",
        );
    } else if let Some(max) = settings.hedge_max.as_ref().filter(|max| max.value >= *count) {
        errors.push(
            if max.position > attempts.position { &max.tokens } else { &attempts.tokens },
            format!(
                "`hedge_max` is {} and `attempts` is {count}: the first attempt counts too, so write `attempts = {}` or a smaller `hedge_max`",
                max.value,
                u64::from(max.value) + 1
            ),
        );
    }
}

fn delay(settings: &Settings, hedge: &Setting<Hedge>, errors: &mut Errors) {
    let Hedge::After(Value::Literal(delay)) = &hedge.value else { return };
    if delay.is_zero() {
        errors.push(
            &hedge.tokens,
            "`hedge` is zero: each call would be made twice at once; write how long an answer may take before a second attempt is worth its load",
        );
        return;
    }
    let timeout = settings.attempt_timeout.as_ref().and_then(|timeout| {
        timeout
            .literal()
            .map(|length| ("attempt_timeout", length, &timeout.tokens, timeout.position))
    });
    let deadline = settings.deadline.as_ref().and_then(|deadline| match &deadline.value {
        Deadline::After(Value::Literal(length)) => {
            Some(("deadline", length, &deadline.tokens, deadline.position))
        }
        _ => None,
    });
    for (key, limit, tokens, position) in timeout.into_iter().chain(deadline) {
        let limit: &Duration = limit;
        if !limit.is_zero() && delay >= limit {
            errors.push(
                if position > hedge.position { tokens } else { &hedge.tokens },
                format!(
                    "`hedge` ({}) is not below `{key}` ({tokens}): no hedge could ever start, write a shorter delay",
                    hedge.tokens
                ),
            );
        }
    }
}
