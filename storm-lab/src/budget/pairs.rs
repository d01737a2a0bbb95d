//! Pairs of keys and values, and what is wrong with them.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use retry_grammar::diagnostics::{did_you_mean, list};
use retry_runtime::ConfigError;

use super::BudgetSpec;
use super::build::{budget, check_alone};
use super::keys::{Key, Value};
use super::kinds::Kind;

/// A value as a table has it.
#[derive(Clone, Debug, PartialEq)]
pub enum PairValue {
    /// A whole number.
    Integer(i64),
    /// A number with a point, or one that is too large for the other.
    Float(f64),
    /// A word, a duration such as `60s`, `true` or `false`.
    Text(String),
}

impl Display for PairValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => write!(f, "{number}"),
            Self::Float(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "\"{}\"", text.escape_debug()),
        }
    }
}

/// Something wrong with a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairError {
    /// The key as it was given; `kind` where another key is missing.
    pub key: String,
    /// What is wanted.
    pub message: String,
}

impl PairError {
    fn new(key: &str, message: impl Into<String>) -> Self {
        Self { key: key.to_owned(), message: message.into() }
    }
}

impl Display for PairError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PairError {}

/// The pairs of a text, and what in it is none.
pub(super) fn split(text: &str) -> (Vec<(&str, PairValue)>, Vec<PairError>) {
    let (mut pairs, mut errors) = (Vec::new(), Vec::new());
    let text = text.trim();
    let text = text.strip_suffix(',').unwrap_or(text);
    if text.is_empty() {
        return (pairs, errors);
    }
    for pair in text.split(',').map(str::trim) {
        match pair.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
            _ if pair.is_empty() => {
                errors.push(PairError::new("", "nothing stands between two commas: take one away"));
            }
            Some((key, "")) => errors.push(PairError::new(key, lacks_value(key))),
            Some((key, value)) => pairs.push((key, value_of(value))),
            None if Kind::of(pair).is_some() => {
                errors
                    .push(PairError::new(pair, format!("`{pair}` is a kind: write `kind={pair}`")));
            }
            None => errors.push(PairError::new(pair, lacks_value(pair))),
        }
    }
    (pairs, errors)
}

fn lacks_value(key: &str) -> String {
    match Key::of(key) {
        Some(known) => format!("`{key}` lacks its value: write `{key}={}`", known.sample()),
        None if key == "kind" => "`kind` lacks its value: write `kind=bucket`".into(),
        None => format!(
            "`{}` is no pair of a key and a value: write it as in `burst=10`",
            key.escape_debug()
        ),
    }
}

fn value_of(text: &str) -> PairValue {
    let quoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    if let Some(inside) = quoted {
        return PairValue::Text(inside.to_owned());
    }
    let integer = text.parse().map(PairValue::Integer);
    let float = || text.parse().map(PairValue::Float);
    integer.or_else(|_| float()).unwrap_or_else(|_| PairValue::Text(text.to_owned()))
}

pub(super) fn read<'a>(
    pairs: impl IntoIterator<Item = (&'a str, PairValue)>,
) -> Result<BudgetSpec, Vec<PairError>> {
    let pairs: Vec<(&str, PairValue)> = pairs.into_iter().collect();
    let mut errors = Vec::new();
    let kinds: Vec<&PairValue> =
        pairs.iter().filter(|(key, _)| *key == "kind").map(|(_, value)| value).collect();
    let kind = match kinds.as_slice() {
        [] => Some(Kind::Bucket),
        [kind, ..] => read_kind(kind).map_err(|error| errors.push(error)).ok(),
    };
    if kinds.len() > 1 {
        errors.push(PairError::new("kind", "`kind` is given twice: keep one of the two"));
    }
    let mut settings = BTreeMap::new();
    let mut refused = Vec::new();
    for (name, value) in pairs.iter().filter(|(key, _)| *key != "kind") {
        match setting(kind, name, value) {
            Ok((key, _)) if settings.contains_key(&key) || refused.contains(&key) => {
                errors.push(PairError::new(
                    name,
                    format!("`{name}` is given twice: keep one of the two"),
                ));
            }
            Ok((key, value)) => drop(settings.insert(key, value)),
            Err(message) => {
                refused.extend(Key::of(name));
                errors.push(PairError::new(name, message));
            }
        }
    }
    let Some(kind) = kind else { return Err(errors) };
    missing(kind, &settings, &refused, &mut errors);
    if errors.is_empty() {
        together(kind, &settings, &mut errors);
    }
    if errors.is_empty() { Ok(BudgetSpec { kind, settings }) } else { Err(errors) }
}

fn read_kind(value: &PairValue) -> Result<Kind, PairError> {
    let word = match value {
        PairValue::Text(word) => word.as_str(),
        _ => "",
    };
    Kind::of(word).ok_or_else(|| {
        let (hint, all) = (did_you_mean(word, Kind::names()), list(Kind::names()));
        PairError::new("kind", format!("{value} is no kind of budget{hint}: use one of {all}"))
    })
}

/// A pair by itself. Without a known kind only the key and the kind of its value are looked at.
fn setting(kind: Option<Kind>, name: &str, value: &PairValue) -> Result<(Key, Value), String> {
    let Some(key) = Key::of(name) else {
        let hint = did_you_mean(name, Key::ALL.iter().map(|key| key.name()));
        let allowed = takes(kind);
        return Err(format!("unknown key `{}`{hint}: {allowed}", name.escape_debug()));
    };
    let value = key.value(value)?;
    match kind.map_or(Ok(()), |kind| check_alone(kind, key, value)) {
        Ok(()) => Ok((key, value)),
        Err(fault @ ConfigError::NotThisBudget(_)) => Err(format!("{fault}: {}", takes(kind))),
        Err(fault) => Err(fault.to_string()),
    }
}

/// What a kind can be told.
fn takes(kind: Option<Kind>) -> String {
    let keys = Key::ALL.iter().copied().filter(|key| kind.is_none_or(|kind| is_taken(kind, *key)));
    let keys = list(keys.map(Key::name));
    match kind {
        Some(kind) => format!("kind `{}` takes {keys}", kind.name()),
        None => format!("use one of {keys}"),
    }
}

fn is_taken(kind: Kind, key: Key) -> bool {
    let sample = key.value(&value_of(key.sample()));
    sample.is_ok_and(|value| check_alone(kind, key, value).is_ok())
}

/// Numbers that mean nothing without another.
fn missing(
    kind: Kind,
    settings: &BTreeMap<Key, Value>,
    refused: &[Key],
    errors: &mut Vec<PairError>,
) {
    let absent = |key: Key| !settings.contains_key(&key) && !refused.contains(&key);
    for key in [Key::MaxTokens, Key::TokenRatio] {
        if kind == Kind::Grpc && absent(key) {
            let (name, sample) = (key.name(), key.sample());
            let message = format!("kind `grpc` needs `{name}`, as in `{name}={sample}`");
            errors.push(PairError::new("kind", message));
        }
    }
    for (key, other, why) in [
        (Key::Floor, Key::FloorSilence, "how long ago the last success may be"),
        (Key::FloorSilence, Key::Floor, "how many retries a second are always allowed"),
    ] {
        if settings.contains_key(&key) && absent(other) {
            let (name, other, sample) = (key.name(), other.name(), other.sample());
            let message = format!("`{name}` needs `{other}`, {why}, as in `{other}={sample}`");
            errors.push(PairError::new(name, message));
        }
    }
}

/// What each is fine by itself, but not beside the others: a cost that is more than the whole.
fn together(kind: Kind, settings: &BTreeMap<Key, Value>, errors: &mut Vec<PairError>) {
    if let Err(fault) = budget(kind, settings, "budget").check() {
        let costs = settings.keys().rev().find(|key| key.is_cost_of() || **key == Key::Cost);
        let key = costs.or_else(|| settings.keys().next()).map_or("kind", |key| key.name());
        errors.push(PairError::new(key, fault.to_string()));
    }
}
