//! The one place where wall-clock time becomes a duration.
//!
//! Expiries are kept on the monotonic clock, which nobody sets. So a date is compared with the wall clock
//! once, when it is read; a clock that is set afterwards changes nothing.

use std::time::{Duration, SystemTime};

use toml::value::{Datetime, Offset};

use crate::calendar::Civil;

const DAY: u64 = 24 * 3_600;

/// How long it is from `now` until `date`: zero if that has passed.
///
/// # Errors
///
/// What is wanted, if it is not a date with a time and an offset.
pub(super) fn until(date: &Datetime, now: SystemTime) -> Result<Duration, &'static str> {
    Ok(instant(date)?.duration_since(now).unwrap_or(Duration::ZERO))
}

fn instant(date: &Datetime) -> Result<SystemTime, &'static str> {
    let (Some(day), Some(time)) = (date.date, date.time) else {
        return Err("a date and a time of day");
    };
    let offset = match date.offset.ok_or("an offset, `Z` for UTC")? {
        Offset::Z => 0,
        Offset::Custom { minutes } => i64::from(minutes) * 60,
    };
    let second = time.second.unwrap_or(0);
    let civil = Civil {
        year: day.year.into(),
        month: day.month.into(),
        day: day.day.into(),
        hour: time.hour.into(),
        minute: time.minute.into(),
        // A leap second is over when the second before it is.
        second: second.min(59).into(),
    };
    let local = civil.seconds().ok_or("a day between the years 1970 and 9999")?;
    // An offset is less than a day; counted from a day later nothing is negative.
    let shifted = (local + DAY).saturating_add_signed(-offset);
    let nanos = time.nanosecond.unwrap_or(0).min(999_999_999);
    SystemTime::UNIX_EPOCH
        .checked_add(Duration::new(shifted, nanos))
        .and_then(|later| later.checked_sub(Duration::from_secs(DAY)))
        .ok_or("a day that the system's clock can reach")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Result<u64, &'static str> {
        let date: Datetime = text.parse().expect(text);
        until(&date, SystemTime::UNIX_EPOCH).map(|duration| duration.as_secs())
    }

    #[test]
    fn a_date_is_one_instant_wherever_it_is_written() {
        for text in [
            "2026-12-01T10:00:00Z",
            "2026-12-01T12:00:00+02:00",
            "2026-12-01 04:30:00-05:30",
            "2026-12-01T10:00:00.999Z",
        ] {
            assert_eq!(seconds(text), Ok(1_796_119_200), "{text}");
        }
        assert_eq!(seconds("1970-01-01T00:30:00+01:00"), Ok(0));
    }

    #[test]
    fn what_is_no_instant_says_what_is_missing() {
        assert_eq!(seconds("2026-12-01"), Err("a date and a time of day"));
        assert_eq!(seconds("10:00:00"), Err("a date and a time of day"));
        assert_eq!(seconds("2026-12-01T10:00:00"), Err("an offset, `Z` for UTC"));
        assert_eq!(
            seconds("1969-12-31T23:59:59Z"),
            Err("a day between the years 1970 and 9999")
        );
    }

    #[test]
    fn what_has_passed_is_no_time_away() {
        let date: Datetime = "2026-12-01T10:00:00Z".parse().unwrap();
        let later = SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_119_201);
        assert_eq!(until(&date, later), Ok(Duration::ZERO));
        assert_eq!(until(&date, later - Duration::from_secs(3)), Ok(Duration::from_secs(2)));
    }
}
