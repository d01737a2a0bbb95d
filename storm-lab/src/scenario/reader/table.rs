//! A table of the file, with the place of each thing in it.

use std::ops::Range;

use retry_grammar::diagnostics::{did_you_mean, list};
use toml::de::{DeTable, DeValue};

use super::value::Value;
use crate::scenario::{keys::Section, mistakes::Sink};

/// What is read at once: the text and where its mistakes go.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) sink: &'a Sink,
}

/// A table whose keys are all known.
pub(super) struct Table<'a> {
    source: Source<'a>,
    section: &'static Section,
    /// With a dot behind it, unless empty.
    prefix: String,
    range: Range<usize>,
    entries: Vec<Value<'a>>,
}

/// The most of a text of the user's that a message repeats.
const QUOTED: usize = 60;

/// `` `text` ``, shortened.
pub(super) fn quoted(text: &str) -> String {
    let short: String = text.chars().take(QUOTED).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("`{short}{dots}`")
}

/// The entries of a table in the order of the text.
pub(super) fn entries<'a>(
    source: Source<'a>,
    path: &str,
    table: &'a DeTable<'a>,
) -> Vec<Value<'a>> {
    let prefix = if path.is_empty() { String::new() } else { format!("{path}.") };
    let mut entries: Vec<Value<'a>> = table
        .iter()
        .map(|(key, value)| Value {
            source,
            name: key.get_ref().to_string(),
            path: format!("{prefix}{}", key.get_ref()),
            key: key.span(),
            range: value.span(),
            content: value.get_ref(),
        })
        .collect();
    entries.sort_by_key(|entry| (entry.key.start, entry.key.end));
    entries
}

impl<'a> Table<'a> {
    /// Reports all keys that the section does not have.
    pub(super) fn open(
        source: Source<'a>,
        section: &'static Section,
        path: &str,
        range: Range<usize>,
        table: &'a DeTable<'a>,
    ) -> Self {
        let (known, unknown): (Vec<_>, Vec<_>) = entries(source, path, table)
            .into_iter()
            .partition(|entry| section.keys().any(|key| key.name == entry.name));
        for entry in unknown {
            let names = || section.keys().map(|key| key.name);
            let (key, close) = (quoted(&entry.name), did_you_mean(&entry.name, names()));
            source.sink.add(
                entry.key.clone(),
                entry.path,
                format!(
                    "{key} is no key of {}{close}: write one of {}",
                    section.heading,
                    list(names())
                ),
            );
        }
        let prefix = if path.is_empty() { String::new() } else { format!("{path}.") };
        Self { source, section, prefix, range, entries: known }
    }

    /// What the key says, if it is there.
    pub(super) fn get(&self, key: &'static str) -> Option<&Value<'a>> {
        debug_assert!(self.section.keys().any(|known| known.name == key), "{key} is not listed");
        self.entries.iter().find(|entry| entry.name == key)
    }

    /// What the key says; that it is missing is a mistake.
    pub(super) fn need(&self, key: &'static str) -> Option<&Value<'a>> {
        let found = self.get(key);
        if found.is_none() {
            let about = self.section.keys().find(|known| known.name == key);
            let (value, meaning) = about.map_or(("", ""), |about| (about.value, about.meaning));
            let remedy = match value {
                "table" => format!("[{key}] with its keys below, {meaning}"),
                "tables" => format!("[[{key}]] with its keys below, {meaning}"),
                _ => format!("`{key} = …` ({value}), {meaning}"),
            };
            self.wrong(key, format!("{} has no `{key}`: write {remedy}", self.section.heading));
        }
        found
    }

    /// Reports a mistake of the table itself.
    pub(super) fn wrong(&self, key: &str, message: impl Into<String>) {
        self.source.sink.add(self.range.clone(), format!("{}{key}", self.prefix), message);
    }

    pub(super) fn section(&self) -> &'static Section {
        self.section
    }
}

/// What TOML calls a value.
pub(super) fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
