//! What an override is: whom it is about, what it says, and for how long.

use std::{fmt, time::Duration};

use super::{
    duration,
    error::{Fault, OverrideError},
    keys,
    settings::Settings,
};

/// Whom an override is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Target {
    /// All sites of the process.
    All,
    /// One site, by its name, or by `name@file:line` where several share one.
    Site(String),
    /// A budget itself: its numbers, and whether it pays for retries at all.
    Budget(String),
    /// All sites whose retries a budget pays for.
    SitesOf(String),
    /// A breaker itself.
    Breaker(String),
}

impl Target {
    /// Whether it is about sites, and not about what they share.
    pub(crate) const fn is_of_sites(&self) -> bool {
        matches!(self, Self::All | Self::Site(_) | Self::SitesOf(_))
    }

    /// The narrower target wins within a layer.
    pub(super) const fn width(&self) -> u8 {
        match self {
            Self::All => 0,
            Self::SitesOf(_) => 1,
            Self::Site(_) | Self::Budget(_) | Self::Breaker(_) => 2,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all sites"),
            Self::Site(name) => write!(f, "site `{name}`"),
            Self::Budget(name) => write!(f, "budget `{name}`"),
            Self::SitesOf(name) => write!(f, "sites of budget `{name}`"),
            Self::Breaker(name) => write!(f, "breaker `{name}`"),
        }
    }
}

/// What a key is set to.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// Any number.
    Float(f64),
    /// Yes or no.
    Bool(bool),
    /// A word, or a duration such as `"50ms"`.
    Text(String),
    /// Several words.
    List(Vec<String>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => write!(f, "{number}"),
            Self::Float(number) => write!(f, "{number:?}"),
            Self::Bool(yes) => write!(f, "{yes}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(words) => write!(f, "{words:?}"),
        }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl From<bool> for Value {
    fn from(yes: bool) -> Self {
        Self::Bool(yes)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Duration> for Value {
    fn from(time: Duration) -> Self {
        Self::Text(duration::write(time))
    }
}

impl From<Vec<String>> for Value {
    fn from(words: Vec<String>) -> Self {
        Self::List(words)
    }
}

impl<const N: usize> From<[&str; N]> for Value {
    fn from(words: [&str; N]) -> Self {
        Self::List(words.map(str::to_owned).into())
    }
}

/// Where an override comes from. Later ones win; the policy and the attribute come before them all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// Variables of the process's environment.
    Environment,
    /// A file.
    File,
    /// The program itself, or who speaks to it.
    Code,
}

impl Layer {
    /// From the weakest to the strongest.
    pub const ALL: [Self; 3] = [Self::Environment, Self::File, Self::Code];

    /// Its name in tables and metrics, such as `environment`.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Environment => "environment",
            Self::File => "file",
            Self::Code => "code",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}

/// Settings for a target that replace what stands in the code.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "an override does nothing until it is set or applied"]
pub struct Override {
    target: Target,
    /// In the order in which they were set, each key once.
    values: Vec<(&'static str, Value)>,
    /// The same, understood; of a target that is about sites.
    settings: Settings,
    note: Option<String>,
    expires_in: Option<Duration>,
}

impl Override {
    /// An override that says nothing yet.
    pub const fn new(target: Target) -> Self {
        Self { target, values: Vec::new(), settings: Settings::NONE, note: None, expires_in: None }
    }

    /// Sets a key, or sets it anew. Keys of sites have the attribute's names, and their values the
    /// attribute's grammar.
    ///
    /// # Errors
    ///
    /// For a key that the target does not have, or a value that the key does not take: with the target,
    /// the key, the value and what is allowed.
    pub fn set(mut self, key: &str, value: impl Into<Value>) -> Result<Self, OverrideError> {
        let value = value.into();
        let key = match keys::read(&self.target, key, &value, &mut self.settings) {
            Ok(known) => known,
            Err(fault) => {
                return Err(OverrideError::about(self.target, fault).with(key, Some(value)));
            }
        };
        self.values.retain(|(known, _)| *known != key);
        self.values.push((key, value));
        Ok(self)
    }

    /// Why, for whoever reads the table: an incident's number, a name.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = Some(text.into());
        self
    }

    /// After this long from when it is set or applied, it goes away by itself. Zero is refused then.
    pub const fn expires_in(mut self, time: Duration) -> Self {
        self.expires_in = Some(time);
        self
    }

    /// What a switch says.
    pub(super) fn switched_off(
        target: Target,
        note: Option<String>,
        expires_in: Option<Duration>,
    ) -> Self {
        let settings = Settings { retries: Some(false), ..Settings::NONE };
        let values = vec![("retries", Value::from("off"))];
        Self { target, values, settings, note, expires_in }
    }

    /// Whom it is about.
    #[must_use]
    pub const fn target(&self) -> &Target {
        &self.target
    }

    /// What it says, in the order in which it was set.
    pub fn values(&self) -> impl ExactSizeIterator<Item = (&'static str, &Value)> {
        self.values.iter().map(|(key, value)| (*key, value))
    }

    pub(super) const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Its note.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// How long it is to last.
    #[must_use]
    pub const fn lifetime(&self) -> Option<Duration> {
        self.expires_in
    }

    /// Without a key; `None` if nothing is left then.
    pub(super) fn without(mut self, key: &str) -> Option<Self> {
        self.values.retain(|(known, _)| *known != key);
        self.settings.take(key);
        (!self.values.is_empty()).then_some(self)
    }

    /// What can be wrong about it as a whole, whoever it meets.
    pub(super) fn check(&self) -> Result<(), OverrideError> {
        let fault = if self.values.is_empty() {
            Some(Fault::Empty)
        } else if self.expires_in.is_some_and(|time| time.is_zero()) {
            Some(Fault::ExpiresAtOnce)
        } else if self.settings.is_unlimited() && !self.settings.bounds_unlimited() {
            let (key, value) = ("attempts", Value::from("unlimited"));
            let error = OverrideError::about(self.target.clone(), Fault::Unbounded);
            return Err(error.with(key, Some(value)));
        } else if let Some((key, backoff)) = self.settings.useless() {
            let value = self.values.iter().find(|(known, _)| *known == key);
            let value = value.map(|(_, value)| value.clone());
            let error = OverrideError::about(self.target.clone(), Fault::Useless(backoff));
            return Err(error.with(key, value));
        } else {
            None
        };
        match fault {
            Some(fault) => Err(OverrideError::about(self.target.clone(), fault)),
            None => Ok(()),
        }
    }
}

/// Whom it is about and what it says, with its note.
impl fmt::Display for Override {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.target.fmt(f)?;
        for (number, (key, value)) in self.values().enumerate() {
            f.write_str(if number == 0 { ": " } else { ", " })?;
            write!(f, "`{key} = {value}`")?;
        }
        self.note.iter().try_for_each(|note| write!(f, " ({note})"))
    }
}

/// Overrides that are applied as a whole: all of them, or none.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use = "overrides do nothing until they are applied"]
pub struct Overrides(Vec<Override>);

impl Overrides {
    /// None: applied, they take away what the layer said.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds one.
    pub fn push(&mut self, one: Override) {
        self.0.push(one);
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Override> {
        self.0.iter()
    }
}

impl FromIterator<Override> for Overrides {
    fn from_iter<I: IntoIterator<Item = Override>>(all: I) -> Self {
        Self(all.into_iter().collect())
    }
}

impl<'a> IntoIterator for &'a Overrides {
    type Item = &'a Override;
    type IntoIter = std::slice::Iter<'a, Override>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Overrides {
    type Item = Override;
    type IntoIter = std::vec::IntoIter<Override>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
