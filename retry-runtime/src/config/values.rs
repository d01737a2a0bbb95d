//! Values, from those of TOML to those of overrides.

use std::{
    ops::Range,
    time::{Duration, SystemTime},
};

use toml::{Spanned, de::DeValue};

use super::time;
use crate::control::{Target, Value, duration};

/// A value with its place.
pub(super) type Given<'a> = Spanned<DeValue<'a>>;

/// The value of a key, or where and why it is none. `written` is how it stands in the document.
pub(super) fn value<'a>(
    name: &str,
    value: &Given<'_>,
    target: &Target,
    written: impl Fn(Range<usize>) -> &'a str,
) -> Result<Value, (usize, String)> {
    let at = value.span().start;
    Ok(match value.get_ref() {
        DeValue::String(text) => Value::Text(text.clone().into_owned()),
        DeValue::Boolean(yes) => Value::Bool(*yes),
        DeValue::Integer(number) => {
            let read = i64::from_str_radix(number.as_str(), number.radix());
            Value::Integer(read.map_err(|_| {
                let written = written(value.span());
                (at, format!("{target}: `{name} = {written}`: the number has more than 64 bits"))
            })?)
        }
        DeValue::Float(number) => Value::Float(number.as_str().parse().map_err(|_| {
            let written = written(value.span());
            (at, format!("{target}: `{name} = {written}`: this is not a number"))
        })?),
        DeValue::Array(items) => {
            let text = |item: &Given<'_>| {
                let what = describe(item.get_ref());
                item.get_ref().as_str().map(str::to_owned).ok_or_else(|| {
                    let message =
                        format!("{target}: `{name}` has {what} in its list: write texts only");
                    (item.span().start, message)
                })
            };
            Value::List(items.iter().map(text).collect::<Result<_, _>>()?)
        }
        DeValue::Datetime(_) => {
            let message = format!("{target}: `{name}` is a date: only `expires` takes one");
            return Err((at, message));
        }
        DeValue::Table(_) => {
            let message = match target {
                Target::Site(site) => format!(
                    "{target}: `{name}` is a table: a name with points stands in quotes, as in `[site.\"{site}.{name}\"]`"
                ),
                _ => format!("{target}: `{name}` is a table: write a value"),
            };
            return Err((at, message));
        }
    })
}

/// Until when a table is in force, as the time that is left.
pub(super) fn expires(value: &DeValue<'_>, now: Option<SystemTime>) -> Result<Duration, String> {
    let wanted = "write a date and a time with an offset, such as 2026-12-01T10:00:00Z";
    let date = match value {
        DeValue::Datetime(date) => date.to_string(),
        DeValue::String(text) => text.clone().into_owned(),
        other => return Err(format!("`expires` is {}: {wanted}", describe(other))),
    };
    let Some(now) = now else {
        return Err("`expires` needs a calendar, which is not there: write `for`".to_owned());
    };
    time::until(&date, now)
        .map_err(|missing| format!("`expires` is `{date}`, which lacks {missing}: {wanted}"))
}

/// For how long a table is in force.
pub(super) fn lasts(value: &DeValue<'_>) -> Result<Duration, String> {
    let DeValue::String(text) = value else {
        return Err(format!("`for` is {}: write a duration, such as \"30m\"", describe(value)));
    };
    match duration::parse(text) {
        Ok(time) if time.is_zero() => {
            Err(format!("`for` is {text:?}: write a time above zero, or leave it out"))
        }
        Ok(time) => Ok(time),
        Err(fault) => Err(format!("`for` is {text:?}: {fault}")),
    }
}

/// What a value is, with its article.
pub(super) fn describe(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(true) => "`true`",
        DeValue::Boolean(false) => "`false`",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
