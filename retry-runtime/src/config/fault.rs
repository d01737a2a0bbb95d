//! What is wrong with what was written, and where.

use std::{error::Error, fmt, sync::Arc};

/// One thing that is wrong with a document or a variable.
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

impl Place {
    /// The place of the byte at `at`. A byte order mark takes no column.
    #[cfg(feature = "toml-1")]
    pub(super) fn of(text: &str, at: usize) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = 1 + before.bytes().filter(|byte| *byte == b'\n').count();
        let column = 1 + before[start..].chars().filter(|c| *c != '\u{feff}').count();
        Self { line, column }
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// `Ok` if there are none.
    pub(super) fn check(mut faults: Vec<Fault>) -> Result<(), Self> {
        if faults.is_empty() {
            return Ok(());
        }
        // What has no place comes first: it is not of a document.
        faults.sort_by_key(|fault| fault.place);
        Err(Self(faults))
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
