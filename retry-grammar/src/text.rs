//! Settings that stand in a text, such as a command line or a configuration file, with their places in it.

mod limits;
mod unreadable;

use std::ops::Range;

use proc_macro2::{LexError, Span, TokenStream, TokenTree};
use quote::ToTokens;

use crate::args::{Entry, Syntax};
use crate::diagnostics::Errors;
use crate::keys::Key;
use crate::model::Settings;

/// What a text says.
pub struct Reading {
    /// The settings. Those that were refused are not there.
    pub settings: Settings,
    /// What was given at all, refused or not, in the order of the text.
    pub given: Vec<Given>,
    /// All that is wrong, in the order of the text; empty where all settings make sense.
    pub mistakes: Vec<Mistake>,
}

/// A setting that stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Which one.
    pub key: Key,
    /// Where it is, its value included, in bytes.
    pub range: Range<usize>,
}

/// Something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Where, in bytes from the beginning of the text; empty at its end if something is missing there.
    pub range: Range<usize>,
    /// What is wanted.
    pub message: String,
}

/// Reads a text as the attribute reads what stands in its parentheses: `attempts = 3, idempotent`. An empty one is
/// the default policy.
///
/// Any text is read without a panic; long ones, and values beyond any that the attribute is written with, are a
/// mistake.
///
/// ```
/// let reading = retry_grammar::text::read("attempts = 0, base = \"50ms\"");
/// assert!(reading.settings.base.is_some());
/// assert_eq!(reading.mistakes.len(), 1);
/// assert_eq!(reading.mistakes[0].range, 11..12);
/// assert!(reading.mistakes[0].message.starts_with("`attempts` is 0"));
/// ```
#[must_use]
pub fn read(text: &str) -> Reading {
    match tokens(text) {
        Ok(tokens) => {
            let mut errors = Errors::default();
            let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
            let (settings, entries) = crate::parse_entries(tokens, &mut errors);
            let mistakes = errors.finish(()).err().into_iter().flatten().map(|error| Mistake {
                range: place(error.span(), text),
                message: error.to_string(),
            });
            let mut mistakes: Vec<Mistake> = mistakes.collect();
            mistakes.sort_by_key(|mistake| (mistake.range.start, mistake.range.end));
            let given = entries.iter().filter_map(|entry| given(entry, &all, text)).collect();
            Reading { settings, given, mistakes }
        }
        Err(mistake) => {
            Reading { settings: Settings::default(), given: Vec::new(), mistakes: vec![mistake] }
        }
    }
}

fn tokens(text: &str) -> Result<TokenStream, Mistake> {
    limits::length(text)?;
    let tokens: TokenStream = text
        .parse()
        .map_err(|error: LexError| unreadable::mistake(text, error.span().byte_range().start))?;
    limits::tokens(&tokens, text)?;
    Ok(tokens)
}

fn given(entry: &Entry, all: &[TokenTree], text: &str) -> Option<Given> {
    let key = Key::from_ident(&entry.key)?;
    let start = place(entry.key.span(), text).start;
    let end = match entry.syntax {
        // The tokens in the parentheses end before them.
        Syntax::List(_) => all
            .iter()
            .find(|token| place(token.span(), text).start > start)
            .map_or(text.len(), |list| place(list.span(), text).end),
        Syntax::Flag | Syntax::Value(_) => range(entry.value_tokens(), text).end,
    };
    Some(Given { key, range: start..end })
}

/// Where tokens of a setting stand in the text that they were read from, in bytes.
#[must_use]
pub fn range(tokens: impl ToTokens, text: &str) -> Range<usize> {
    let mut spans = tokens.into_token_stream().into_iter().map(|token| place(token.span(), text));
    let Some(first) = spans.next() else { return text.len()..text.len() };
    let end = spans.last().map_or(first.end, |last| last.end);
    first.start..end
}

/// A span without a place is that of the end, where something is missing.
fn place(span: Span, text: &str) -> Range<usize> {
    match span.byte_range() {
        Range { start: 0, end: 0 } => text.len()..text.len(),
        range => range,
    }
}

#[cfg(test)]
mod tests;
