//! Why an override is refused.

use std::{fmt, time::Duration};

use super::{Target, UnknownName, Value};
use crate::ConfigError;

/// An override that is refused: whom it is about, which key, which value, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct OverrideError {
    target: Target,
    key: Option<String>,
    value: Option<Value>,
    fault: Fault,
}

impl OverrideError {
    pub(crate) const fn about(target: Target, fault: Fault) -> Self {
        Self { target, key: None, value: None, fault }
    }

    pub(crate) fn with(mut self, key: &str, value: Option<Value>) -> Self {
        self.key = Some(key.to_owned());
        self.value = value;
        self
    }

    /// Whom the override is about.
    #[must_use]
    pub const fn target(&self) -> &Target {
        &self.target
    }

    /// The key, where one is to blame.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// The value, where one is to blame.
    #[must_use]
    pub const fn value(&self) -> Option<&Value> {
        self.value.as_ref()
    }

    /// Why.
    #[must_use]
    pub const fn fault(&self) -> &Fault {
        &self.fault
    }
}

impl fmt::Display for OverrideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.target)?;
        match (&self.key, &self.value) {
            (Some(key), Some(value)) => write!(f, "`{key} = {value}`: ")?,
            (Some(key), None) => write!(f, "`{key}`: ")?,
            (None, _) => {}
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for OverrideError {}

fn meant(nearest: Option<&String>) -> String {
    nearest.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default()
}

fn words(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// What is wrong with an override.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The target has no such key.
    #[error("there is no such key{}; there are {}", meant(nearest.as_ref()), words(allowed))]
    UnknownKey {
        /// The most similar key there is.
        nearest: Option<String>,
        /// All keys of the target.
        allowed: Vec<&'static str>,
    },
    /// The attribute has the key, and no override can change what it says.
    #[error("it cannot be overridden, because {0}")]
    Fixed(&'static str),
    /// The key does not take the value.
    #[error("{0}")]
    Value(String),
    /// The name does not say who is meant.
    #[error("{0}")]
    Name(UnknownName),
    /// With the override a site's policy would make no sense.
    #[error("with it the policy of `{site}` would make no sense: {fault}")]
    Policy {
        /// The site.
        site: String,
        /// What is wrong, with the values.
        fault: ConfigError,
    },
    /// With the override a site's deadline would leave no time for an attempt.
    #[error(
        "no attempt of `{site}` could start: `{key}` ({needed:?}) leaves nothing of the deadline ({deadline:?})"
    )]
    NoTime {
        /// The site.
        site: String,
        /// What needs the time.
        key: &'static str,
        /// How much it needs.
        needed: Duration,
        /// The deadline.
        deadline: Duration,
    },
    /// A site cannot do what the override asks for.
    #[error("`{site}` cannot honour it: {reason}")]
    CannotHonour {
        /// The site.
        site: String,
        /// Why.
        reason: &'static str,
    },
    /// The override's own `backoff` makes no use of the key.
    #[error("it has no effect: backoff \"{0}\" does not use it")]
    Useless(&'static str),
    /// It says nothing.
    #[error("it sets no key")]
    Empty,
    /// It would be over before it began.
    #[error("it expires at once: give it a time above zero, or none")]
    ExpiresAtOnce,
    /// An end for attempts without number must be asked for.
    #[error(
        "it needs `deadline` and `inner` in the same override, because each default would surprise"
    )]
    Unbounded,
    /// One document says two things about one target.
    #[error("there are two overrides of this target: put them together")]
    Twice,
}

/// All that is wrong with overrides that were to be applied together.
#[derive(Clone, Debug, PartialEq)]
pub struct OverrideErrors(pub(crate) Vec<OverrideError>);

impl OverrideErrors {
    /// Each of them; at least one.
    pub fn iter(&self) -> std::slice::Iter<'_, OverrideError> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a OverrideErrors {
    type Item = &'a OverrideError;
    type IntoIter = std::slice::Iter<'a, OverrideError>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl From<OverrideError> for OverrideErrors {
    fn from(one: OverrideError) -> Self {
        Self(vec![one])
    }
}

impl fmt::Display for OverrideErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for OverrideErrors {}
