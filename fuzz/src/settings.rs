//! Settings that stand in a text: `retry_grammar::text`.

use std::time::Duration;

use retry_grammar::model::{Attempts, Setting, Settings, Value};
use retry_grammar::text::{Reading, range, read};

/// The input is what stands in the attribute's parentheses.
///
/// - Places, of mistakes and of settings, lie in the text and cut no character in two; mistakes come in the order of
///   the text and say something, and a setting's place begins with its key.
/// - A second read gives the same.
/// - Settings without a mistake stay so, and say the same, when they are printed one after the other, and have no
///   mistake the other way round either.
/// - Of those, attempts and hedges are at least 1, a factor is finite and at least 1, `base` is not above `max`, and
///   what must have a length has one.
///
/// # Panics
///
/// If one of these does not hold.
pub fn check(bytes: &[u8]) {
    proc_macro2::extra::invalidate_current_thread_spans();
    let text = crate::text(bytes);
    let reading = read(text);
    places(&reading, text);

    let again = read(text);
    assert_eq!(reading.mistakes, again.mistakes);
    assert_eq!(reading.given, again.given);
    let said = summary(&reading.settings);
    assert_eq!(said, summary(&again.settings));

    if reading.mistakes.is_empty() {
        bounds(&reading.settings);
        printed(&reading, text, &said);
    }
}

fn places(reading: &Reading, text: &str) {
    let mut last = 0;
    for mistake in &reading.mistakes {
        assert!(text.get(mistake.range.clone()).is_some(), "{mistake:?}");
        assert!(mistake.range.start >= last, "out of order: {mistake:?}");
        assert!(!mistake.message.is_empty());
        last = mistake.range.start;
    }
    let mut end = 0;
    for given in &reading.given {
        let shown = text.get(given.range.clone());
        assert!(shown.is_some_and(|shown| shown.starts_with(given.key.name())), "{given:?}");
        assert!(given.range.start >= end, "in the one before: {given:?}");
        end = given.range.end;
    }
}

fn printed(reading: &Reading, text: &str, said: &[String]) {
    // A remark to the end of the line would swallow what follows it.
    let shown: Vec<&str> = reading.given.iter().map(|given| &text[given.range.clone()]).collect();
    let printed = shown.join("\n, ");
    let back = read(&printed);
    assert!(back.mistakes.is_empty(), "{printed}: {:?}", back.mistakes);
    assert_eq!(summary(&back.settings), said, "{printed}");

    let reversed: Vec<&str> = shown.into_iter().rev().collect();
    let reversed = reversed.join("\n, ");
    let back = read(&reversed);
    assert!(back.mistakes.is_empty(), "{reversed}: {:?}", back.mistakes);
    let mut sorted = summary(&back.settings);
    sorted.sort();
    let mut said = said.to_vec();
    said.sort();
    assert_eq!(sorted, said, "{reversed}");
}

fn bounds(settings: &Settings) {
    if let Some(Attempts::Count(count)) = literal(settings.attempts.as_ref()) {
        assert!(*count >= 1);
    }
    if let Some(factor) = literal(settings.factor.as_ref()) {
        assert!(factor.is_finite() && *factor >= 1.0);
    }
    if let Some(max) = &settings.hedge_max {
        assert!(max.value >= 1);
    }
    if let (Some(base), Some(max)) =
        (literal(settings.base.as_ref()), literal(settings.max.as_ref()))
    {
        assert!(base <= max);
    }
    let lengths =
        [&settings.attempt_timeout, &settings.time_per_attempt, &settings.max_retry_after];
    for length in lengths.into_iter().filter_map(|setting| literal(setting.as_ref())) {
        assert!(*length > Duration::ZERO);
    }
}

fn literal<T>(setting: Option<&Setting<Value<T>>>) -> Option<&T> {
    setting.and_then(|setting| match &setting.value {
        Value::Literal(value) => Some(value),
        Value::Const(_) => None,
    })
}

/// What the settings say, whatever stands between their words.
fn summary(settings: &Settings) -> Vec<String> {
    let mut all = Vec::new();
    macro_rules! each {
        ($($name:ident)*) => { $(
            if let Some(Setting { tokens, .. }) = &settings.$name {
                // Its place is found, whatever text it is asked about.
                let _ = range(tokens.clone(), "");
                all.push(format!("{} = {tokens}", stringify!($name)));
            }
        )* };
    }
    each! {
        attempts backoff adaptive base max factor budget budget_key shed breaker deadline attempt_timeout
        last_attempt_untimed cut_error uncut min_remaining time_per_attempt expect max_retry_after idempotent
        idempotency_key classify classify_result hedge hedge_max nested inner clone on_retry policy name blocking
        krate
    }
    all
}
