//! Durations as they are written in attributes: `"50ms"`, `"1.5s"`, `"1m30s"`.

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
/// whole nanoseconds.
///
/// # Errors
///
/// A message that names the bad part and the remedy.
pub fn parse(text: &str) -> Result<Duration, String> {
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

#[cfg(test)]
mod tests {
    use super::parse;
    use std::time::Duration;

    #[test]
    fn numbers_with_units_are_read_exactly() {
        for (text, want) in [
            ("50ms", Duration::from_millis(50)),
            ("1.5s", Duration::from_millis(1_500)),
            ("1m30s", Duration::from_secs(90)),
            ("1d2h3m4s5ms6us7ns", Duration::new(93_784, 5_006_007)),
            ("0.000000001s", Duration::from_nanos(1)),
            ("0.1d", Duration::from_secs(8_640)),
            ("1.50s", Duration::from_millis(1_500)),
            ("0.0000000000000000000000s", Duration::ZERO),
            ("0ms", Duration::ZERO),
            ("007ms", Duration::from_millis(7)),
            ("90s", Duration::from_secs(90)),
            ("18446744073709551615s", Duration::from_secs(u64::MAX)),
            ("18446744073709551615s999999999ns", Duration::MAX),
            ("0.00001525878906250d", Duration::from_nanos(1_318_359_375)),
        ] {
            assert_eq!(parse(text), Ok(want), "{text}");
        }
    }

    #[test]
    fn a_bad_duration_names_the_bad_part_and_the_remedy() {
        for (text, part, remedy) in [
            ("", "empty", "\"50ms\""),
            ("50", "`50` has no unit", "\"50ms\""),
            ("1m30", "`30` has no unit", "\"30s\""),
            ("-50ms", "negative", "\"50ms\""),
            ("\u{2212}50ms", "negative", "\"50ms\""),
            ("NaN", "`NaN`", "\"50ms\""),
            ("inf", "`inf`", "\"50ms\""),
            ("+5s", "`+`", "\"50ms\""),
            (" 5s", "` `", "\"50ms\""),
            ("ms", "`ms`", "\"50ms\""),
            ("5 s", "` s` is not a unit", "right after"),
            ("5sec", "`sec` is not a unit", "`s`"),
            ("5MS", "`MS` is not a unit", "`ms`"),
            ("5µs", "`µs` is not a unit", "`us`"),
            ("1e3ms", "`e` is not a unit", "`ms`"),
            ("1_000ms", "`_` is not a unit", "`ms`"),
            ("1m 30s", "`m ` is not a unit", "right after"),
            ("1s2s", "`s` comes twice", "add"),
            ("30s1m", "`m` comes after `s`", "\"1m30s\""),
            ("1m2s3m", "`m` comes after `s`", "larger units go first"),
            (".5s", "`.5` is not a number", "\"0.5s\""),
            ("5.s", "`5.` is not a number", "\"0.5s\""),
            ("1.2.3s", "`1.2.3` is not a number", "\"0.5s\""),
            (".", "`.` has no unit", "unit"),
            ("0.5ns", "`0.5ns` is finer", "whole nanoseconds"),
            ("0.0000000000000000001d", "finer", "whole nanoseconds"),
            ("18446744073709551616s", "`18446744073709551616s` is longer", "at most"),
            ("18446744073709551615s1000ms", "is longer", "at most"),
            ("340282366920938463463374607431768211455d", "is longer", "at most"),
            ("340282366920938463463374607431768211456ns", "is longer", "at most"),
            ("999999999999999999999999999999999999999999999s", "is longer", "at most"),
        ] {
            let message = parse(text).expect_err(text);
            assert!(message.contains(part) && message.contains(remedy), "{text:?}: {message}");
        }
    }
}
