//! The keys that overrides know, and what each takes.

use std::time::Duration;

use super::{
    Target, Value, duration,
    error::Fault,
    numbers,
    settings::{Attempts, Settings, Stop, kind, nearest_kind},
};
use crate::{Backoff, ConfigError, Inner, Nested, Policy, diagnostics::nearest};

/// Keys of sites, in the order of the attribute's documentation.
pub(super) const SITE: &[&str] = &[
    "retries",
    "attempts",
    "backoff",
    "base",
    "max",
    "factor",
    "min_remaining",
    "time_per_attempt",
    "max_retry_after",
    "idempotent",
    "nested",
    "inner",
    "attempt_timeout",
    "deadline",
    "stop",
];

/// What the attribute says once and for all, and why.
const FIXED: &[(&str, &str)] = &[
    ("hedge", "attempts side by side need code of their own, which is generated or not"),
    ("hedge_max", "attempts side by side need code of their own, which is generated or not"),
    (
        "breaker",
        "which dependency a function calls is a fact of the code; override the breaker's own numbers instead",
    ),
    (
        "budget",
        "which dependency a function calls is a fact of the code; override the budget's own numbers instead",
    ),
    ("budget_key", "it is an expression in the code"),
    ("shed", "the check before the first attempt is generated or not"),
    ("expect", "measuring and checking need code of their own, which is generated or not"),
    ("classify", "it is a function; what it classes wrongly can be kept from retries with `stop`"),
    (
        "classify_result",
        "it is a function; what it classes wrongly can be kept from retries with `stop`",
    ),
    ("cut_error", "it is a function"),
    ("on_retry", "it is a function"),
    ("uncut", "whether an error can express a cut is a fact of its type"),
    ("last_attempt_untimed", "it goes with the `attempt_timeout` in the code"),
    ("adaptive", "it is a static in the code"),
    ("idempotency_key", "it is an expression in the code"),
    ("clone", "it is about the code's arguments"),
    ("policy", "it is a path in the code; override the keys that it sets instead"),
    ("name", "it is what overrides are addressed to"),
    ("blocking", "it is about the function's form"),
    ("crate", "it is a path in the code"),
];

/// Checks a key and its value, and notes what they mean for sites.
pub(super) fn read(
    target: &Target,
    key: &str,
    value: &Value,
    settings: &mut Settings,
) -> Result<&'static str, Fault> {
    let allowed: Vec<&'static str> = match target {
        Target::All | Target::Site(_) | Target::SitesOf(_) => SITE.to_vec(),
        Target::Budget(_) => ["retries"].iter().chain(numbers::keys(target)).copied().collect(),
        Target::Breaker(_) => numbers::keys(target).to_vec(),
    };
    let Some(known) = allowed.iter().copied().find(|known| *known == key) else {
        return Err(unknown(target, key, allowed));
    };
    if target.is_of_sites() {
        read_site(known, value, settings)?;
    } else if known == "retries" {
        settings.retries = Some(switch(value)?);
    } else {
        numbers::check_value(target, known, value)?;
    }
    Ok(known)
}

fn unknown(target: &Target, key: &str, allowed: Vec<&'static str>) -> Fault {
    let fixed = FIXED.iter().find(|(fixed, _)| *fixed == key);
    match fixed.filter(|_| target.is_of_sites()) {
        Some((_, reason)) => Fault::Fixed(reason),
        None => Fault::UnknownKey {
            nearest: nearest(key, allowed.iter().copied()).map(str::to_owned),
            allowed,
        },
    }
}

fn read_site(key: &'static str, value: &Value, settings: &mut Settings) -> Result<(), Fault> {
    match key {
        "retries" => settings.retries = Some(switch(value)?),
        "attempts" => settings.attempts = Some(attempts(value)?),
        "backoff" => settings.backoff = Some(backoff(value)?),
        "base" => settings.base = Some(time(value)?),
        "max" => settings.max = Some(time(value)?),
        "factor" => settings.factor = Some(factor(value)?),
        "min_remaining" => settings.min_remaining = Some(time(value)?),
        "time_per_attempt" => settings.time_per_attempt = Some(time_above_zero(key, value)?),
        "max_retry_after" => settings.max_retry_after = Some(time_above_zero(key, value)?),
        "idempotent" => settings.idempotent = Some(flag(value)?),
        "nested" => {
            let words = [("suppress", Nested::Suppress), ("independent", Nested::Independent)];
            settings.nested = Some(word(value, &words)?);
        }
        "inner" => {
            let words = [("suppress", Inner::Suppress), ("allow", Inner::Allow)];
            settings.inner = Some(word(value, &words)?);
        }
        "attempt_timeout" => settings.attempt_timeout = Some(time_above_zero(key, value)?),
        "deadline" => settings.deadline = Some(time_above_zero(key, value)?),
        "stop" => settings.stop = Some(stop(value)?),
        _ => {}
    }
    Ok(())
}

fn wanted(what: &str) -> Fault {
    Fault::Value(format!("it must be {what}"))
}

fn switch(value: &Value) -> Result<bool, Fault> {
    word(value, &[("off", false), ("on", true)])
}

fn flag(value: &Value) -> Result<bool, Fault> {
    match value {
        Value::Bool(yes) => Ok(*yes),
        _ => Err(wanted("true or false")),
    }
}

fn word<T: Copy>(value: &Value, words: &[(&str, T)]) -> Result<T, Fault> {
    let text = match value {
        Value::Text(text) => text.as_str(),
        _ => "",
    };
    if let Some((_, meaning)) = words.iter().find(|(known, _)| *known == text) {
        return Ok(*meaning);
    }
    let allowed: Vec<String> = words.iter().map(|(known, _)| format!("\"{known}\"")).collect();
    let meant = nearest(text, words.iter().map(|(known, _)| *known))
        .map(|near| format!(": did you mean \"{near}\"?"))
        .unwrap_or_default();
    Err(wanted(&format!("one of {}{meant}", allowed.join(", "))))
}

fn attempts(value: &Value) -> Result<Attempts, Fault> {
    match value {
        Value::Text(text) if text == "unlimited" => Ok(Attempts::Unlimited),
        Value::Integer(0) => Err(Fault::Value(ConfigError::ZeroAttempts.to_string())),
        // The largest number stands for none.
        Value::Integer(count) => match u32::try_from(*count) {
            Ok(count) if count < u32::MAX => Ok(Attempts::AtMost(count)),
            _ => {
                Err(wanted(&format!("a whole number from 1 to {}, or \"unlimited\"", u32::MAX - 1)))
            }
        },
        _ => Err(wanted("a whole number of at least 1, or \"unlimited\"")),
    }
}

fn backoff(value: &Value) -> Result<Backoff, Fault> {
    if cfg!(not(feature = "adaptive")) && *value == Value::from("adaptive") {
        return Err(Fault::Value("it needs the feature `adaptive` of `stormless`".to_owned()));
    }
    word(value, &Backoff::named().collect::<Vec<_>>())
}

fn factor(value: &Value) -> Result<f64, Fault> {
    let number = match value {
        Value::Float(number) => *number,
        Value::Integer(number) => f64::from(i32::try_from(*number).unwrap_or(i32::MAX)),
        _ => return Err(wanted("a finite number of at least 1")),
    };
    match Policy::new().factor(number).check() {
        Ok(()) => Ok(number),
        Err(fault) => Err(Fault::Value(fault.to_string())),
    }
}

/// A duration as the attribute writes it.
pub(super) fn time(value: &Value) -> Result<Duration, Fault> {
    match value {
        Value::Text(text) => duration::parse(text).map_err(Fault::Value),
        Value::Integer(number) => Err(Fault::Value(format!(
            "`{number}` has no unit: write \"{number}ms\" for milliseconds, \"{number}s\" for seconds"
        ))),
        _ => Err(wanted("a duration, such as \"50ms\" or \"1m30s\"")),
    }
}

fn time_above_zero(key: &'static str, value: &Value) -> Result<Duration, Fault> {
    let time = time(value)?;
    if time.is_zero() {
        return Err(Fault::Value(ConfigError::ZeroDuration(key).to_string()));
    }
    Ok(time)
}

fn stop(value: &Value) -> Result<Stop, Fault> {
    let Value::List(words) = value else {
        return Err(wanted("a list of error labels or kinds, such as [\"Busy\", \"timeout\"]"));
    };
    if words.iter().any(String::is_empty) {
        return Err(wanted("a list of error labels or kinds, none of which is empty"));
    }
    let mut kinds = Vec::new();
    let mut labels = Vec::new();
    for word in words {
        match (kind(word), nearest_kind(word)) {
            (Some(kind), _) => kinds.push(kind),
            (None, Some(near)) => {
                return Err(Fault::Value(format!(
                    "`{word}` is no kind: did you mean \"{near}\"? Labels of errors begin with a capital"
                )));
            }
            (None, None) => labels.push(word.clone()),
        }
    }
    Ok(Stop { kinds, labels: labels.into() })
}
