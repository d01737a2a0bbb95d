//! What is wrong with what was written, and where.

use std::{error::Error, fmt, sync::Arc};

/// One thing that is wrong with a document or a variable.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::config;
///
/// let faults = config::parse("kv/retries", "[all]\nattempts = 'one'").unwrap_err();
/// let fault = faults.iter().next().unwrap();
/// assert_eq!((fault.origin(), fault.line(), fault.column()), ("kv/retries", Some(2), Some(12)));
/// println!("{}", fault.message());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    origin: Arc<str>,
    place: Option<Place>,
    message: String,
}

/// Where something stands. Both numbers count from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// Finds the places of bytes of a text: those of ascending bytes in one pass through it.
#[cfg(feature = "toml-1")]
pub(super) struct Places<'a> {
    text: &'a str,
    at: usize,
    place: Place,
}

#[cfg(feature = "toml-1")]
impl<'a> Places<'a> {
    pub(super) const fn of(text: &'a str) -> Self {
        Self { text, at: 0, place: Place { line: 1, column: 1 } }
    }

    /// The place of the byte at `at`, which is not before the last one that was asked for. A byte order mark
    /// takes no column.
    pub(super) fn next(&mut self, at: usize) -> Place {
        let passed = self.text.get(self.at..at).unwrap_or_default();
        for c in passed.chars() {
            match c {
                '\n' => self.place = Place { line: self.place.line + 1, column: 1 },
                '\u{feff}' => {}
                _ => self.place.column += 1,
            }
        }
        self.at += passed.len();
        self.place
    }
}

impl Fault {
    pub(super) fn new(origin: &Arc<str>, place: Option<Place>, message: String) -> Self {
        Self { origin: Arc::clone(origin), place, message }
    }

    /// The file, the variable, or whatever else it stands in.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The line, from 1, where what is wrong has one.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.place.map(|place| place.line)
    }

    /// The column, in characters from 1, where what is wrong has one.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.place.map(|place| place.column)
    }

    /// What is wrong, and what would be right.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Fault {
    /// `origin:line:column: message`, which editors and terminals make a link of.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.origin)?;
        if let Some(Place { line, column }) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Everything that is wrong with a document, or with the environment, in the order in which it stands
/// there: one at least. Nothing of it was applied.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::config;
///
/// let faults = config::parse("kv/retries", "[all]\nattemps = 1\nbase = 'soon'").unwrap_err();
/// assert_eq!(faults.iter().count(), 2);
/// println!("{faults}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// `Ok` if there are none.
    pub(super) fn check(faults: Vec<Fault>) -> Result<(), Self> {
        if faults.is_empty() { Ok(()) } else { Err(Self::all(faults)) }
    }

    /// At least one, sorted. What has no place comes first: it is not of a document.
    pub(super) fn all(mut faults: Vec<Fault>) -> Self {
        faults.sort_by_key(|fault| fault.place);
        Self(faults)
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.0.iter()
    }
}

impl fmt::Display for Faults {
    /// One a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            let before = if index == 0 { "" } else { "\n" };
            write!(f, "{before}{fault}")?;
        }
        Ok(())
    }
}

impl Error for Faults {}
