//! Why an override is refused.

use std::{fmt, time::Duration};

use super::{Target, UnknownName, Value};
use crate::ConfigError;

/// An override that is refused: whom it is about, which key, which value, and why.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control::{Fault, Override, Target, Value};
///
/// let error = Override::new(Target::All).set("attemps", 2).unwrap_err();
/// assert_eq!((error.target(), error.key()), (&Target::All, Some("attemps")));
/// assert_eq!(error.value(), Some(&Value::Integer(2)));
/// assert!(matches!(error.fault(), Fault::UnknownKey { .. }));
/// println!("{error}");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OverrideError(Box<Refused>);

/// In a box, as it is large and rare.
#[derive(Clone, Debug, PartialEq)]
struct Refused {
    target: Target,
    key: Option<String>,
    value: Option<Value>,
    fault: Fault,
}

impl OverrideError {
    pub(crate) fn about(target: Target, fault: Fault) -> Self {
        Self(Box::new(Refused { target, key: None, value: None, fault }))
    }

    pub(crate) fn with(mut self, key: &str, value: Option<Value>) -> Self {
        self.0.key = Some(key.to_owned());
        self.0.value = value;
        self
    }

    /// Whom the override is about.
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.0.target
    }

    /// The key, where one is to blame.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.0.key.as_deref()
    }

    /// The value, where one is to blame.
    #[must_use]
    pub fn value(&self) -> Option<&Value> {
        self.0.value.as_ref()
    }

    /// Why.
    #[must_use]
    pub fn fault(&self) -> &Fault {
        &self.0.fault
    }
}

impl fmt::Display for OverrideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refused { target, key, value, fault } = &*self.0;
        write!(f, "{target}: ")?;
        match (key, value) {
            (Some(key), Some(value)) => write!(f, "`{key} = {value}`: ")?,
            (Some(key), None) => write!(f, "`{key}`: ")?,
            (None, _) => {}
        }
        fault.fmt(f)
    }
}

impl std::error::Error for OverrideError {}

fn meant(nearest: Option<&String>) -> String {
    nearest.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default()
}

fn words(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Names of sites, the first few.
fn several(sites: &[String]) -> String {
    const NAMED: usize = 5;
    let named: Vec<&str> = sites.iter().take(NAMED).map(String::as_str).collect();
    let others = match sites.len() - named.len() {
        0 => String::new(),
        1 => " and 1 other".to_owned(),
        others => format!(" and {others} others"),
    };
    format!("{}{others}", words(&named))
}

/// What is wrong with an override.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control::{Fault, Override, Target};
///
/// let error = Override::new(Target::All).set("base", "soon").unwrap_err();
/// assert!(matches!(error.fault(), Fault::Value(_)));
/// ```
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
    #[error("with it the policy of {} would make no sense: {fault}", several(sites))]
    Policy {
        /// The sites; the fault is that of the first.
        sites: Vec<String>,
        /// What is wrong, with the values.
        fault: ConfigError,
    },
    /// With the override a site's deadline would leave no time for an attempt.
    #[error(
        "no attempt of {} could start: `{key}` ({needed:?}) leaves nothing of the deadline ({deadline:?})",
        several(sites)
    )]
    NoTime {
        /// The sites; the times are those of the first.
        sites: Vec<String>,
        /// What needs the time.
        key: &'static str,
        /// How much it needs.
        needed: Duration,
        /// The deadline.
        deadline: Duration,
    },
    /// None of the sites can do what the override asks for.
    #[error("{} cannot honour it: {reason}", several(sites))]
    CannotHonour {
        /// The sites; the reason is that of one of them.
        sites: Vec<String>,
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
    /// They are more than are taken at once.
    #[error("there are {0} overrides, and at most {most} are taken at once: use wider targets", most = super::Overrides::MOST)]
    TooMany(usize),
}

/// All that is wrong with overrides that were to be applied together.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control::{self, Override, Target};
///
/// let nobody = Override::new(Target::Site("fetsch".to_owned())).set("attempts", 2).unwrap();
/// let errors = control::set(nobody).unwrap_err();
/// for error in errors.iter() {
///     eprintln!("{error}");
/// }
/// assert_eq!(errors.iter().len(), 1);
/// ```
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
