//! The one place where wall-clock time becomes a duration.
//!
//! Expiries are kept on the monotonic clock, which nobody sets. So a date is compared with the wall clock
//! once, when it is read; a clock that is set afterwards changes nothing.

use std::time::{Duration, SystemTime};

use crate::calendar::Civil;

const DAY: u64 = 24 * 3_600;
const NO_OFFSET: &str = "an offset, `Z` for UTC";

/// How long it is from `now` until a date of RFC 3339, of whose seconds fractions are left out: zero if that
/// has passed.
///
/// # Errors
///
/// What it lacks to be an instant.
pub(super) fn until(date: &str, now: SystemTime) -> Result<Duration, &'static str> {
    Ok(instant(date)?.duration_since(now).unwrap_or(Duration::ZERO))
}

fn instant(text: &str) -> Result<SystemTime, &'static str> {
    let (day, time) = text.split_once(['T', 't', ' ']).ok_or("a time of day")?;
    let (time, offset) = offset(time)?;
    let [year, month, day] = numbers(day, '-', [4, 2, 2]).ok_or("a date")?;
    let whole = time.split_once('.').map_or(Some(time), |(whole, fraction)| {
        let digits = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
        digits.then_some(whole)
    });
    let read = |time: &str| match time.len() {
        5 => numbers(time, ':', [2, 2]).map(|[hour, minute]| [hour, minute, 0]),
        _ => numbers(time, ':', [2, 2, 2]),
    };
    let [hour, minute, second] = whole.and_then(read).ok_or("a time of day")?;
    // A leap second is over when the one before it is.
    let second = if second == 60 { 59 } else { second };
    let local = Civil { year, month, day, hour, minute, second }
        .seconds()
        .ok_or("a day and a time that there are, between the years 1970 and 9999")?;
    SystemTime::UNIX_EPOCH
        // An offset is less than a day; counted from a day later nothing is negative.
        .checked_add(Duration::from_secs((local + DAY).saturating_add_signed(-offset)))
        .and_then(|later| later.checked_sub(Duration::from_secs(DAY)))
        .ok_or("a day that the system's clock can reach")
}

/// What comes before the offset, and the offset, in seconds.
fn offset(time: &str) -> Result<(&str, i64), &'static str> {
    if let Some(time) = time.strip_suffix(['Z', 'z']) {
        return Ok((time, 0));
    }
    let at = time.rfind(['+', '-']).ok_or(NO_OFFSET)?;
    let [hours, minutes] = numbers(&time[at + 1..], ':', [2, 2]).ok_or(NO_OFFSET)?;
    if hours > 23 || minutes > 59 {
        return Err(NO_OFFSET);
    }
    let seconds = i64::try_from(hours * 3_600 + minutes * 60).map_err(|_| NO_OFFSET)?;
    Ok((&time[..at], if time[at..].starts_with('-') { -seconds } else { seconds }))
}

/// Numbers of so many digits each.
fn numbers<const N: usize>(text: &str, between: char, digits: [usize; N]) -> Option<[u64; N]> {
    let mut parts = text.split(between);
    let mut numbers = [0; N];
    for (number, digits) in numbers.iter_mut().zip(digits) {
        let part = parts.next()?;
        let valid = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        *number = valid.then(|| part.parse().ok()).flatten()?;
    }
    parts.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn seconds(text: &str) -> Result<u64, &'static str> {
        until(text, SystemTime::UNIX_EPOCH).map(|duration| duration.as_secs())
    }

    #[test]
    fn a_date_is_one_instant_wherever_it_is_written() {
        for text in [
            "2026-12-01T10:00:00Z",
            "2026-12-01t10:00z",
            "2026-12-01T12:00:00+02:00",
            "2026-12-01 04:30:00-05:30",
            "2026-12-01T10:00:00.999Z",
        ] {
            assert_eq!(seconds(text), Ok(1_796_119_200), "{text}");
        }
        assert_eq!(seconds("1970-01-01T00:30:00+01:00"), Ok(0));
        assert_eq!(seconds("2016-12-31T23:59:60Z"), seconds("2016-12-31T23:59:59Z"));
    }

    #[test]
    fn what_is_no_instant_says_what_is_missing() {
        let day = Err("a day and a time that there are, between the years 1970 and 9999");
        for (text, missing) in [
            ("2026-12-01", Err("a time of day")),
            ("10:00:00", Err("a time of day")),
            ("tomorrow at ten Z", Err("a date")),
            ("2026-12-01T10:00:00", Err(NO_OFFSET)),
            ("2026-12-01T10:00:00+2", Err(NO_OFFSET)),
            ("2026-12-01T10:00:00+24:00", Err(NO_OFFSET)),
            ("2026-12-01T10:00:00.Z", Err("a time of day")),
            ("2026-12-01T1000Z", Err("a time of day")),
            ("26-12-01T10:00:00Z", Err("a date")),
            ("2026-12-01-01T10:00:00Z", Err("a date")),
            ("2026-02-29T10:00:00Z", day),
            ("2026-12-01T24:00:00Z", day),
            ("1969-12-31T23:59:59Z", day),
        ] {
            assert_eq!(seconds(text), missing, "{text}");
        }
    }

    #[test]
    fn what_has_passed_is_no_time_away() {
        let later = SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_119_201);
        assert_eq!(until("2026-12-01T10:00:00Z", later), Ok(Duration::ZERO));
        let earlier = later - Duration::from_secs(3);
        assert_eq!(until("2026-12-01T10:00:00Z", earlier), Ok(Duration::from_secs(2)));
    }

    proptest! {
        #[test]
        #[cfg_attr(miri, ignore = "very many values")]
        fn nothing_like_a_date_panics(text in "[0-9]{0,5}-[0-9ä]{1,2}-[0-9]{2}[Tt ][0-9:.]{0,9}[Zz+-]{0,2}[0-9:ä]{0,5}") {
            let _ = seconds(&text);
        }
    }
}
