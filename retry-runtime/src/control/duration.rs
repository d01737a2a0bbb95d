//! Durations as they are written in attributes and in overrides: `"50ms"`, `"1.5s"`, `"1m30s"`.
//!
//! The attribute reads them at compile time, in a crate that nothing at run time can depend on; tests hold
//! the two to one grammar.

use std::time::Duration;

/// Units, longest first, with their length in nanoseconds.
const UNITS: [(&str, u128); 7] = [
    ("d", 86_400 * NANOS_PER_SECOND),
    ("h", 3_600 * NANOS_PER_SECOND),
    ("m", 60 * NANOS_PER_SECOND),
    ("s", NANOS_PER_SECOND),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

const NANOS_PER_SECOND: u128 = 1_000_000_000;

/// Above 16 decimals no unit gives whole nanoseconds (a day is 2^16 · 5^11 · 27 of them), and up to
/// here nothing overflows.
const MAX_DECIMALS: usize = 18;

/// Reads numbers with units, the larger units first, each unit at most once, without spaces. Units
/// are `ns`, `us`, `ms`, `s`, `m`, `h` and `d`; numbers may have decimals as long as they come to
/// whole nanoseconds. The message of an error names the bad part and the remedy.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    if text.is_empty() {
        return Err("a duration is empty: write a number and a unit, such as \"50ms\"".into());
    }
    if text.starts_with(['-', '\u{2212}']) {
        return Err(format!(
            "a duration cannot be negative: write \"{}\"",
            &text[first_len(text)..]
        ));
    }
    let mut rest = text;
    let mut total = 0_u128;
    let mut last = None;
    while !rest.is_empty() {
        let (number, after) = split(rest, |c| c.is_ascii_digit() || c == '.');
        let (unit, after) = split(after, |c| !c.is_ascii_digit() && c != '.');
        if number.is_empty() {
            return Err(format!(
                "`{text}` is not a duration, since `{unit}` is not a number with a unit: write it as in \"50ms\" or \"1m30s\""
            ));
        }
        let position = position(unit, number)?;
        if let Some(last) = last {
            check_order(position, last)?;
        }
        last = Some(position);
        total = nanos(number, UNITS[position].1)
            .map_err(|fault| describe(fault, number, unit))?
            .checked_add(total)
            .ok_or_else(|| too_long(text))?;
        rest = after;
    }
    let seconds = u64::try_from(total / NANOS_PER_SECOND).map_err(|_| too_long(text))?;
    let subsecond = u32::try_from(total % NANOS_PER_SECOND).map_err(|_| too_long(text))?;
    Ok(Duration::new(seconds, subsecond))
}

fn first_len(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

fn split(text: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !belongs(c)).unwrap_or(text.len()))
}

fn position(unit: &str, number: &str) -> Result<usize, String> {
    if unit.is_empty() {
        return Err(format!(
            "`{number}` has no unit: write \"{number}ms\" for milliseconds, \"{number}s\" for seconds"
        ));
    }
    UNITS.iter().position(|(name, _)| *name == unit).ok_or_else(|| {
        format!("`{unit}` is not a unit: write one of `ns`, `us`, `ms`, `s`, `m`, `h`, `d` right after the number")
    })
}

fn check_order(position: usize, last: usize) -> Result<(), String> {
    let (unit, last_unit) = (UNITS[position].0, UNITS[last].0);
    if position == last {
        return Err(format!("the unit `{unit}` comes twice: add its numbers up"));
    }
    if position < last {
        return Err(format!(
            "`{unit}` comes after `{last_unit}`: larger units go first, as in \"1m30s\""
        ));
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Fault {
    NotANumber,
    TooFine,
    TooLong,
}

fn nanos(number: &str, unit: u128) -> Result<u128, Fault> {
    let (whole, decimals) = match number.split_once('.') {
        None => (number, ""),
        Some((whole, decimals))
            if !whole.is_empty() && !decimals.is_empty() && !decimals.contains('.') =>
        {
            (whole, decimals.trim_end_matches('0'))
        }
        Some(_) => return Err(Fault::NotANumber),
    };
    let whole = whole
        .parse::<u128>()
        .ok()
        .and_then(|whole| whole.checked_mul(unit))
        .ok_or(Fault::TooLong)?;
    if decimals.is_empty() {
        return Ok(whole);
    }
    if decimals.len() > MAX_DECIMALS {
        return Err(Fault::TooFine);
    }
    let scale = (0..decimals.len()).fold(1_u128, |scale, _| scale * 10);
    let part = decimals.parse::<u128>().map_err(|_| Fault::TooFine)? * unit;
    if part % scale != 0 {
        return Err(Fault::TooFine);
    }
    whole.checked_add(part / scale).ok_or(Fault::TooLong)
}

fn describe(fault: Fault, number: &str, unit: &str) -> String {
    match fault {
        Fault::NotANumber => {
            format!(
                "`{number}` is not a number: write digits on both sides of one point, as in \"0.5s\""
            )
        }
        Fault::TooFine => {
            format!("`{number}{unit}` is finer than a nanosecond: write whole nanoseconds")
        }
        Fault::TooLong => too_long(&format!("{number}{unit}")),
    }
}

fn too_long(text: &str) -> String {
    format!("`{text}` is longer than a duration can be: write at most \"{}s\"", u64::MAX)
}

/// Writes a duration so that [`parse`] reads it back.
pub(crate) fn write(duration: Duration) -> String {
    let mut left = duration.as_nanos();
    if left == 0 {
        return "0s".to_owned();
    }
    let mut text = String::new();
    for (unit, nanos) in UNITS {
        let count = left / nanos;
        left %= nanos;
        if count > 0 {
            text.push_str(&count.to_string());
            text.push_str(unit);
        }
    }
    text
}

#[cfg(test)]
#[path = "duration/tests.rs"]
mod tests;
