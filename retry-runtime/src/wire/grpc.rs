//! What gRPC says about attempts and time: `grpc-timeout` and `grpc-previous-rpc-attempts`.
//!
//! Source: [gRPC over HTTP/2](https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md) and
//! [A6](https://github.com/grpc/proposal/blob/master/A6-client-retries.md).

use std::time::Duration;

use super::digits;

/// The time for which the caller waits, such as `500m`.
pub const TIMEOUT: &str = "grpc-timeout";
/// How many attempts were made before this one; absent on the first.
pub const PREVIOUS_ATTEMPTS: &str = "grpc-previous-rpc-attempts";
/// In a response: how long to wait before another attempt, in milliseconds. Negative or unreadable, that is
/// not to be made.
pub const PUSHBACK: &str = "grpc-retry-pushback-ms";

const DIGITS: usize = 8;
const MOST: u128 = 99_999_999;

/// The units, the finest first, and what they are in nanoseconds.
const UNITS: [(char, u64); 6] = [
    ('n', 1),
    ('u', 1_000),
    ('m', 1_000_000),
    ('S', 1_000_000_000),
    ('M', 60_000_000_000),
    ('H', 3_600_000_000_000),
];

/// Writes a `grpc-timeout`: in the finest unit in which it takes eight digits at most, and never more than
/// `left`.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::time::Duration;
/// use stormless::wire::grpc;
///
/// assert_eq!(grpc::format_timeout(Duration::from_millis(1_500)), "1500000u");
/// assert_eq!(grpc::format_timeout(Duration::MAX), "99999999H");
/// ```
#[must_use]
pub fn format_timeout(left: Duration) -> String {
    let nanos = left.as_nanos();
    let in_unit = |(name, unit): (char, u64)| (name, nanos / u128::from(unit));
    let fits = UNITS.into_iter().map(in_unit).find(|(_, count)| *count <= MOST);
    let (name, count) = fits.unwrap_or(('H', MOST));
    format!("{count}{name}")
}

/// Reads a `grpc-timeout`: one to eight digits and a unit, `H`, `M`, `S`, `m`, `u` or `n`. `None` if it is
/// malformed.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::wire::grpc;
/// use std::time::Duration;
///
/// assert_eq!(grpc::parse_timeout("500m"), Some(Duration::from_millis(500)));
/// assert_eq!(grpc::parse_timeout("500"), None);
/// ```
#[must_use]
pub fn parse_timeout(value: &str) -> Option<Duration> {
    let unit = value.chars().next_back()?;
    let count = digits::number(value.strip_suffix(unit)?, DIGITS)?;
    let (_, nanos) = UNITS.into_iter().find(|(name, _)| *name == unit)?;
    // Hours of eight digits do not fit into nanoseconds of one word.
    Some(match nanos / 1_000_000_000 {
        0 => Duration::from_nanos(count.saturating_mul(nanos)),
        seconds => Duration::from_secs(count.saturating_mul(seconds)),
    })
}

/// Reads `grpc-previous-rpc-attempts`: the number of the attempt, from 1. `None` if it is malformed.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::wire::grpc;
///
/// assert_eq!(grpc::parse_previous_attempts("1"), Some(2));
/// assert_eq!(grpc::parse_previous_attempts("-1"), None);
/// ```
#[must_use]
pub fn parse_previous_attempts(value: &str) -> Option<u32> {
    u32::try_from(digits::number(value, 10)?).ok()?.checked_add(1)
}

/// Writes `grpc-previous-rpc-attempts` for the attempt of this number, from 1; `None` for the first, which
/// goes without.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::wire::grpc;
///
/// assert_eq!(grpc::format_previous_attempts(1), None);
/// assert_eq!(grpc::format_previous_attempts(2).as_deref(), Some("1"));
/// ```
#[must_use]
pub fn format_previous_attempts(attempt: u32) -> Option<String> {
    attempt.checked_sub(1).filter(|previous| *previous > 0).map(|previous| previous.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        #[cfg_attr(miri, ignore = "very many values")]
        fn never_more_is_written_than_is_left_and_little_less(nanos in any::<u64>()) {
            let left = Duration::from_nanos(nanos);
            let text = format_timeout(left);
            prop_assert!(text.len() <= DIGITS + 1);
            let read = parse_timeout(&text).unwrap();
            prop_assert!(read <= left);
            // Seven digits are exact to a millionth, but for what is lost between units.
            prop_assert!(left.saturating_sub(read) <= left / 10_000 + Duration::from_nanos(1));
        }

        #[test]
        #[cfg_attr(miri, ignore = "very many values")]
        fn nothing_that_is_read_panics(text in any::<String>()) {
            let _ = (parse_timeout(&text), parse_previous_attempts(&text));
        }

        #[test]
        #[cfg_attr(miri, ignore = "very many values")]
        fn attempts_are_read_as_they_were_written(attempt in 2u32..) {
            let text = format_previous_attempts(attempt).unwrap();
            prop_assert_eq!(parse_previous_attempts(&text), Some(attempt));
        }
    }

    #[test]
    fn timeouts_have_the_units_of_the_protocol() {
        for (text, time) in [
            ("1H", Duration::from_secs(3_600)),
            ("2M", Duration::from_secs(120)),
            ("3S", Duration::from_secs(3)),
            ("4m", Duration::from_millis(4)),
            ("5u", Duration::from_micros(5)),
            ("6n", Duration::from_nanos(6)),
            ("0m", Duration::ZERO),
            ("99999999H", Duration::from_secs(99_999_999 * 3_600)),
        ] {
            assert_eq!(parse_timeout(text), Some(time), "{text}");
        }
        for text in ["", "m", "1", "1s", "-1m", "+1m", "1.5S", "123456789m", " 1m", "1 m", "1ä"] {
            assert_eq!(parse_timeout(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_first_attempt_has_no_previous_ones_to_tell_of() {
        assert_eq!(format_previous_attempts(1), None);
        assert_eq!(format_previous_attempts(2).as_deref(), Some("1"));
        for text in ["", "-1", "x", "4294967295", "1.0"] {
            assert_eq!(parse_previous_attempts(text), None, "{text:?}");
        }
    }
}
