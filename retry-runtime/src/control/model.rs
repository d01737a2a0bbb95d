//! What an override is: whom it is about, what it says, and for how long.

use std::{fmt, time::Duration};

use super::{
    Target, Value,
    error::{Fault, OverrideError},
    keys,
    settings::Settings,
};

/// Settings for a target that replace what stands in the code.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control::{Override, Target, Value};
/// use std::time::Duration;
///
/// let gentle = Override::new(Target::Budget("orders".to_owned()))
///     .set("burst", 5)?
///     .note("INC-4711")
///     .expires_in(Duration::from_secs(3_600));
/// assert_eq!(gentle.target(), &Target::Budget("orders".to_owned()));
/// assert_eq!(gentle.values().next(), Some(("burst", &Value::Integer(5))));
/// assert_eq!(gentle.text(), Some("INC-4711"));
/// assert_eq!(gentle.lifetime(), Some(Duration::from_secs(3_600)));
/// # Ok::<(), stormless::control::OverrideError>(())
/// ```
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
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::control::{Override, Target};
    ///
    /// assert_eq!(Override::new(Target::All).values().len(), 0);
    /// ```
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
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::control::{Override, Target};
    /// use std::time::Duration;
    ///
    /// let gentle = Override::new(Target::All)
    ///     .set("attempts", 2)?
    ///     .set("base", Duration::from_millis(500))?;
    /// assert_eq!(gentle.values().len(), 2);
    /// assert!(gentle.set("base", "half a second").is_err());
    /// # Ok::<(), stormless::control::OverrideError>(())
    /// ```
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
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::control::{Override, Target};
    ///
    /// let one = Override::new(Target::All).note("INC-4711");
    /// assert_eq!(one.text(), Some("INC-4711"));
    /// ```
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = Some(text.into());
        self
    }

    /// After this long from when it is set or applied, it goes away by itself. Zero is refused then.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::control::{Override, Target};
    /// use std::time::Duration;
    ///
    /// let hour = Duration::from_secs(3_600);
    /// assert_eq!(Override::new(Target::All).expires_in(hour).lifetime(), Some(hour));
    /// ```
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
        } else if let Some((key, reason)) = self.settings.contradicts_itself() {
            let value = self.values.iter().find(|(known, _)| *known == key);
            let value = value.map(|(_, value)| value.clone());
            let error = OverrideError::about(self.target.clone(), Fault::Value(reason));
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

/// Overrides that are applied as a whole: all of them, or none. At most [`MOST`](Self::MOST).
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control::{self, Layer, Override, Overrides, Target};
///
/// let all: Overrides =
///     [Override::new(Target::All).set("attempts", 2)?].into_iter().collect();
/// assert_eq!((all.len(), all.is_empty(), all.iter().len()), (1, false, 1));
/// control::apply(Layer::Code, all)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use = "overrides do nothing until they are applied"]
pub struct Overrides(Vec<Override>);

impl Overrides {
    /// The most that are taken at once. What somebody sends by mistake is not to hold up those who throw
    /// a switch.
    pub const MOST: usize = 1_000;

    /// None: applied, they take away what the layer said.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::control::{self, Layer, Overrides};
    ///
    /// control::apply(Layer::File, Overrides::new()).unwrap();
    /// assert!(control::overrides().is_empty());
    /// ```
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds one.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::control::{Override, Overrides, Target};
    ///
    /// let mut overrides = Overrides::new();
    /// overrides.push(Override::new(Target::All).set("retries", "off")?);
    /// assert_eq!(overrides.len(), 1);
    /// # Ok::<(), stormless::control::OverrideError>(())
    /// ```
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
