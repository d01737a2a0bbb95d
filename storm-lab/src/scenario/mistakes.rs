//! All that is wrong with a text, with its places.

use std::{cell::RefCell, fmt, ops::Range};

use super::excerpt::{Place, excerpt, harmless};

/// So many are printed; the rest is counted.
const SHOWN: usize = 50;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Where it begins.
    pub place: Place,
    /// Where it is, in bytes.
    pub range: Range<usize>,
    /// The key that it is about, with its tables: `tier.server.workers`; empty where the text is no TOML.
    pub key: String,
    /// What is wrong, and what to write instead.
    pub message: String,
}

/// Everything that is wrong with a text, in its order.
#[derive(Clone, Debug)]
pub struct Mistakes {
    name: String,
    text: String,
    all: Vec<Mistake>,
}

impl Mistakes {
    /// Each of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Mistake> {
        self.all.iter()
    }

    /// The name of what was read, such as its file's.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl<'a> IntoIterator for &'a Mistakes {
    type Item = &'a Mistake;
    type IntoIter = std::slice::Iter<'a, Mistake>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for mistake in self.all.iter().take(SHOWN) {
            let Place { line, column } = mistake.place;
            writeln!(
                f,
                "{}:{line}:{column}: {}",
                harmless(&self.name),
                harmless(&mistake.message)
            )?;
            write!(f, "{}", excerpt(&self.text, &mistake.range))?;
        }
        let count = self.all.len();
        let more = if count > SHOWN {
            format!(", of which the first {SHOWN} are shown")
        } else {
            String::new()
        };
        let noun = if count == 1 { "mistake" } else { "mistakes" };
        write!(f, "{}: {count} {noun}{more}", harmless(&self.name))
    }
}

/// Where mistakes are collected while a text is read.
#[derive(Default)]
pub(super) struct Sink(RefCell<Vec<(Range<usize>, String, String)>>);

impl Sink {
    /// Notes one. The same words about the same place are noted once.
    pub(super) fn add(
        &self,
        range: Range<usize>,
        key: impl Into<String>,
        message: impl Into<String>,
    ) {
        let mistake = (range, key.into(), message.into());
        let mut all = self.0.borrow_mut();
        if !all.contains(&mistake) {
            all.push(mistake);
        }
    }

    /// How many there are so far.
    pub(super) fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// `value`, if nothing was wrong.
    pub(super) fn finish<T>(self, value: Option<T>, name: &str, text: &str) -> Result<T, Mistakes> {
        let mut all = self.0.into_inner();
        match value {
            Some(value) if all.is_empty() => Ok(value),
            _ => {
                all.sort_by_key(|(range, ..)| (range.start, range.end));
                let placed = |(range, key, message): (Range<usize>, String, String)| Mistake {
                    place: Place::of(text, range.start),
                    range,
                    key,
                    message,
                };
                let all = all.into_iter().map(placed).collect();
                Err(Mistakes { name: name.to_owned(), text: text.to_owned(), all })
            }
        }
    }
}
