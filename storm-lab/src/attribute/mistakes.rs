//! What is wrong with a text, and where.

use std::ops::Range;
use std::{error, slice};

use retry_grammar::text;

/// Something wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    range: Range<usize>,
    message: String,
    line: usize,
    column: usize,
}

impl Mistake {
    fn of(text: &str, mistake: text::Mistake) -> Self {
        let text::Mistake { range, message } = mistake;
        let before = text.get(..range.start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.matches('\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        Self { range, message, line, column }
    }

    /// Where it is, in bytes from the beginning of the text; empty at the end if something is missing there.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// What is wrong, and what to write instead.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The line of the text that it begins in, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The character of the line that it begins with, from 1.
    pub fn column(&self) -> usize {
        self.column
    }
}

/// All that is wrong with a text, in the order of the text; at least one.
///
/// The `Display` form shows each as the compiler would: with its line, and marks under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes {
    pub(super) text: String,
    list: Vec<Mistake>,
}

impl Mistakes {
    pub(super) fn of(text: &str, mut mistakes: Vec<text::Mistake>) -> Self {
        mistakes.sort_by_key(|mistake| (mistake.range.start, mistake.range.end));
        let list = mistakes.into_iter().map(|mistake| Mistake::of(text, mistake)).collect();
        Self { text: text.to_owned(), list }
    }

    /// The text, as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Each of them, in the order of the text.
    pub fn iter(&self) -> slice::Iter<'_, Mistake> {
        self.list.iter()
    }
}

impl<'a> IntoIterator for &'a Mistakes {
    type Item = &'a Mistake;
    type IntoIter = slice::Iter<'a, Mistake>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl error::Error for Mistakes {}
