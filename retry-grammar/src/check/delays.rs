//! What the settings of delays must say together.

use std::time::Duration;

use super::{ignored, later, literal};
use crate::diagnostics::Errors;
use crate::keys::Key;
use crate::model::{Backoff, Deadline, Setting, Settings, Strategy, Value};

/// The base delay where none is given.
const DEFAULT_BASE: Duration = Duration::from_millis(50);
/// `time_per_attempt` of an adaptive backoff where none is given.
const ADAPTIVE_TIME: Duration = Duration::from_millis(100);

/// How long the first delay is, and how long they may become.
pub(super) fn delays(settings: &Settings, given: impl Fn(Key) -> bool, errors: &mut Errors) {
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

/// What the adaptive backoff needs beside it.
pub(super) fn adaptive(settings: &Settings, given: impl Fn(Key) -> bool, errors: &mut Errors) {
    let backoff = settings.backoff.as_ref().filter(|backoff| backoff.value.is_adaptive());
    let Some(backoff) = backoff else {
        // A backoff that was refused may have been meant to be this one.
        let refused = settings.backoff.is_none() && given(Key::Backoff);
        if let Some(config) = settings.adaptive.as_ref().filter(|_| !refused) {
            errors.push(
                &config.key,
                "`adaptive` has no effect without `backoff = \"adaptive\"`: add that, or leave it out",
            );
        }
        return;
    };
    if !given(Key::Breaker) {
        errors.push(
            &backoff.tokens,
            "backoff \"adaptive\" needs a `breaker`, without which it goes on asking a dependency that answers nobody: add `breaker = \"orders\"`, or `breaker = none` to do without",
        );
    }
    let divides = !given(Key::TimePerAttempt) && !given(Key::Policy);
    if let Some(Setting { value: Deadline::After(Value::Literal(whole)), tokens, .. }) =
        settings.deadline.as_ref().filter(|_| divides)
    {
        if !whole.is_zero() && *whole < ADAPTIVE_TIME {
            errors.push(
                tokens,
                format!(
                    "`deadline` ({tokens}) leaves no time for an attempt, which backoff \"adaptive\" takes to need {ADAPTIVE_TIME:?}: give a `time_per_attempt` as well"
                ),
            );
        }
    }
}
