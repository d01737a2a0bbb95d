//! Dates and times of day, in UTC and without leap seconds, from and to seconds since 1970.
//!
//! The calendar is Howard Hinnant's `civil_from_days` and `days_from_civil`,
//! <https://howardhinnant.github.io/date_algorithms.html>.

const DAY: u64 = 24 * 3_600;
/// Four hundred years, after which the calendar repeats itself.
const ERA: u64 = 146_097;
/// From the first of March of the year 0 to the first of January 1970.
const BEFORE_1970: u64 = 719_468;

/// A date and a time of day; months and days count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Civil {
    pub(crate) year: u64,
    pub(crate) month: u64,
    pub(crate) day: u64,
    pub(crate) hour: u64,
    pub(crate) minute: u64,
    pub(crate) second: u64,
}

impl Civil {
    /// So many seconds after 1970 began.
    pub(crate) const fn at(seconds: u64) -> Self {
        let (days, second) = (seconds / DAY + BEFORE_1970, seconds % DAY);
        let (era, day) = (days / ERA, days % ERA);
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        // Counted from March, so that the day that is not always there is the last one.
        let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
        Self { year: era * 400 + year + later, month, day, hour, minute, second }
    }

    /// Seconds since 1970 began; `None` for what is no time, and outside of the years 1970 to 9999.
    pub(crate) fn seconds(self) -> Option<u64> {
        let Self { year, month, day, hour, minute, second } = self;
        let valid = (1_970..=9_999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_in(year, month)).contains(&day)
            && hour < 24
            && minute < 60
            && second < 60;
        if !valid {
            return None;
        }
        let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let (era, year) = (year / 400, year % 400);
        let day = (153 * month + 2) / 5 + day - 1;
        let days = era * ERA + year * 365 + year / 4 - year / 100 + day - BEFORE_1970;
        Some(days * DAY + hour * 3_600 + minute * 60 + second)
    }
}

const fn days_in(year: u64, month: u64) -> u64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn each_day_of_the_calendar_is_there_and_back_again() {
        let mut previous = Civil::at(0);
        assert_eq!((previous.year, previous.month, previous.day), (1_970, 1, 1));
        // To the end of 2400, which is a leap year as 2100 is not.
        for day in 0..157_420 {
            let civil = Civil::at(day * DAY + 3_661);
            assert_eq!(civil.seconds(), Some(day * DAY + 3_661), "{civil:?}");
            let next = civil.day == previous.day + 1
                || (civil.day == 1 && previous.day == days_in(previous.year, previous.month));
            assert!(day == 0 || next, "{previous:?} and {civil:?}");
            previous = civil;
        }
        assert_eq!((previous.year, previous.month, previous.day), (2_400, 12, 31));
    }
}
