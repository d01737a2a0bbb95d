//! A value of the file, and what it can be read as. What cannot be is reported, and comes out as `None`.

use std::{ops::Range, time::Duration};

use toml::de::DeValue;

use super::table::{Source, Table, entries, kind, quoted};
use crate::scenario::{duration, keys::Section};

/// A value with its key.
#[derive(Clone)]
pub(super) struct Value<'a> {
    pub(super) source: Source<'a>,
    /// The key alone.
    pub(super) name: String,
    /// The key with its tables.
    pub(super) path: String,
    /// Where the key is.
    pub(super) key: Range<usize>,
    /// Where the value is.
    pub(super) range: Range<usize>,
    pub(super) content: &'a DeValue<'a>,
}

impl<'a> Value<'a> {
    /// The value as it is written.
    pub(super) fn given(&self) -> &'a str {
        self.source.text.get(self.range.clone()).unwrap_or_default()
    }

    /// Reports a mistake in the value.
    pub(super) fn wrong(&self, message: impl Into<String>) {
        self.wrong_at(self.range.clone(), message);
    }

    /// Reports a mistake in a part of the value.
    pub(super) fn wrong_at(&self, range: Range<usize>, message: impl Into<String>) {
        self.source.sink.add(range, self.path.clone(), message);
    }

    /// Reports that the value is of another kind than is wanted.
    pub(super) fn not<T>(&self, wanted: &str, remedy: &str) -> Option<T> {
        self.wrong(format!(
            "{} is {wanted}, not {}: write {remedy}",
            quoted(&self.name),
            kind(self.content)
        ));
        None
    }

    /// A text, which may be empty.
    pub(super) fn any_text(&self) -> Option<&'a str> {
        match self.content {
            DeValue::String(text) => Some(text),
            _ => self.not("a text", "it in quotes"),
        }
    }

    /// A name: a text that is not empty and fits into a line.
    pub(super) fn text(&self) -> Option<&'a str> {
        let text = self.any_text()?;
        if text.trim().is_empty() || text.chars().any(char::is_control) {
            self.wrong(format!(
                "{} is empty or has line breaks in it: write a few words",
                quoted(&self.name)
            ));
            return None;
        }
        Some(text)
    }

    pub(super) fn flag(&self) -> Option<bool> {
        match self.content {
            DeValue::Boolean(flag) => Some(*flag),
            _ => self.not("true or false", "`true` or `false`, without quotes"),
        }
    }

    /// A whole number from `least` to `most`.
    pub(super) fn count_up_to(&self, least: u32, most: u32) -> Option<u32> {
        let count = self.whole(u64::from(least), u64::from(most));
        count.and_then(|count| u32::try_from(count).ok())
    }

    /// Any whole number of 64 bits.
    pub(super) fn any_count(&self) -> Option<u64> {
        self.whole(0, u64::MAX)
    }

    fn whole(&self, least: u64, most: u64) -> Option<u64> {
        let DeValue::Integer(integer) = self.content else {
            return self.not("a whole number", &format!("one from {least}, without quotes"));
        };
        let number = i128::from_str_radix(integer.as_str(), integer.radix()).ok();
        let count = number.and_then(|number| u64::try_from(number).ok());
        let count = count.filter(|count| (least..=most).contains(count));
        if count.is_none() {
            self.wrong(format!(
                "{} cannot be {}: write a whole number from {least} to {most}",
                quoted(&self.name),
                quoted(integer.as_str()),
            ));
        }
        count
    }

    /// A whole number of at least `least`.
    pub(super) fn count(&self, least: u32) -> Option<u32> {
        self.count_up_to(least, u32::MAX)
    }

    /// A finite number within these limits.
    pub(super) fn number(&self, least: f64, most: f64) -> Option<f64> {
        let number = match self.content {
            DeValue::Integer(integer) => {
                let number = i128::from_str_radix(integer.as_str(), integer.radix()).ok();
                #[expect(
                    clippy::cast_precision_loss,
                    reason = "beyond 2^53 nothing is exact anyway"
                )]
                number.map(|number| number as f64)
            }
            DeValue::Float(float) => float.as_str().parse::<f64>().ok(),
            DeValue::String(text) => return self.not("a number", &number_for(text, least, most)),
            _ => return self.not("a number", &number_for("", least, most)),
        };
        let allowed = number.filter(|number| number.is_finite() && (least..=most).contains(number));
        if allowed.is_none() {
            self.wrong(format!(
                "{} cannot be {}: write a number from {least} to {most}",
                quoted(&self.name),
                quoted(self.given())
            ));
        }
        allowed
    }

    pub(super) fn share(&self) -> Option<f64> {
        self.number(0.0, 1.0)
    }

    pub(super) fn duration(&self) -> Option<Duration> {
        let DeValue::String(text) = self.content else {
            let given = self.given();
            let unit = match self.content {
                DeValue::Integer(_) | DeValue::Float(_) => {
                    format!("a number with its unit, in quotes: \"{given}ms\" or \"{given}s\"")
                }
                _ => "a number with its unit, in quotes, as in \"50ms\" or \"1m30s\"".to_owned(),
            };
            return self.not("a duration", &unit);
        };
        match duration::parse(text) {
            Ok(duration) => Some(duration),
            Err(message) => {
                self.wrong(message);
                None
            }
        }
    }

    /// A duration above zero.
    pub(super) fn some_time(&self) -> Option<Duration> {
        let duration = self.duration()?;
        if duration.is_zero() {
            self.wrong(format!("{} cannot be zero: write a longer time", quoted(&self.name)));
            return None;
        }
        Some(duration)
    }

    pub(super) fn list(&self) -> Option<Vec<Value<'a>>> {
        let DeValue::Array(array) = self.content else {
            return self.not("a list", "its members in square brackets");
        };
        let member = |value: &'a toml::Spanned<DeValue<'a>>| Value {
            range: value.span(),
            content: value.get_ref(),
            ..self.clone()
        };
        Some(array.iter().map(member).collect())
    }

    /// From one duration to a later one.
    pub(super) fn span(&self) -> Option<(Duration, Duration)> {
        let list = self.list()?;
        let [from, to] = list.as_slice() else {
            self.wrong(format!(
                "{} has {} members: write two durations, as in [\"1s\", \"2s\"]",
                quoted(&self.name),
                list.len()
            ));
            return None;
        };
        let (from, to) = (from.duration(), to.duration());
        let (from, to) = (from?, to?);
        if from > to {
            self.wrong(format!(
                "{} ends before it begins: write the earlier one first",
                quoted(&self.name)
            ));
            return None;
        }
        Some((from, to))
    }

    pub(super) fn table(&self, section: &'static Section) -> Option<Table<'a>> {
        let DeValue::Table(table) = self.content else {
            return self.not(
                "a table",
                &format!("it as {} with keys below, or in braces", section.heading),
            );
        };
        Some(Table::open(self.source, section, &self.path, self.range.clone(), table))
    }

    /// Tables, of which a single one need not be in a list.
    pub(super) fn tables(&self, section: &'static Section) -> Vec<Table<'a>> {
        match self.content {
            DeValue::Table(_) => self.table(section).into_iter().collect(),
            DeValue::Array(_) => {
                let list = self.list().unwrap_or_default();
                list.iter().filter_map(|member| member.table(section)).collect()
            }
            _ => {
                self.not::<()>("one table or several", section.heading);
                Vec::new()
            }
        }
    }

    /// A table whose keys are names.
    pub(super) fn named(&self) -> Vec<Value<'a>> {
        if let DeValue::Table(table) = self.content {
            return entries(self.source, &self.path, table);
        }
        self.not::<()>("a table", "names with their values in it");
        Vec::new()
    }
}

/// What to write in place of a text: the same where it is a percentage of what may be a share.
fn number_for(text: &str, least: f64, most: f64) -> String {
    let percent = text.trim().strip_suffix('%').and_then(|text| text.trim().parse::<f64>().ok());
    let share = percent.map(|percent| percent / 100.0);
    if let Some(share) = share.filter(|share| most <= 1.0 && (least..=most).contains(share)) {
        return format!("`{share}`, without quotes");
    }
    match [30.0, 0.5].into_iter().find(|number| (least..=most).contains(number)) {
        Some(number) if most <= 1.0 => {
            format!("one from {least} to {most}, such as `{number:?}`, without quotes")
        }
        Some(number) => format!("one such as `{number:?}`, without quotes"),
        None => format!("one from {least} to {most}, without quotes"),
    }
}
