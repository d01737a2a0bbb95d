//! What AWS SDKs say about attempts and time: `amz-sdk-request`, such as
//! `ttl=20261129T182501Z; attempt=2; max=3`.

use std::{
    fmt,
    time::{Duration, SystemTime},
};

use super::digits;
use crate::calendar::Civil;

/// The header's name.
pub const REQUEST: &str = "amz-sdk-request";

/// The value of `amz-sdk-request`.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::wire::aws::SdkRequest;
/// use std::time::{Duration, SystemTime};
///
/// let ttl = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
/// let said = SdkRequest::new(2, Some(3)).until(ttl);
/// assert_eq!(said.to_string(), "ttl=20231114T221320Z; attempt=2; max=3");
/// assert_eq!(SdkRequest::parse(&said.to_string()), Some(said));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SdkRequest {
    /// Until when the caller waits, by its own wall clock, in whole seconds.
    pub ttl: Option<SystemTime>,
    /// The number of the attempt; the first is 1.
    pub attempt: u32,
    /// How many attempts there may be.
    pub max: Option<u32>,
}

impl SdkRequest {
    /// What is said about the attempt of this number, of `max`.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::wire::aws::SdkRequest;
    ///
    /// assert_eq!(SdkRequest::new(1, Some(3)).to_string(), "attempt=1; max=3");
    /// ```
    #[must_use]
    pub const fn new(attempt: u32, max: Option<u32>) -> Self {
        Self { ttl: None, attempt, max }
    }

    /// With the time until which the caller waits. Only what lies between the years 1970 and 9999 is written.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::wire::aws::SdkRequest;
    /// use std::time::{Duration, SystemTime};
    ///
    /// let ttl = SystemTime::UNIX_EPOCH + Duration::from_millis(1_700_000_000_900);
    /// assert!(SdkRequest::new(1, None).until(ttl).to_string().starts_with("ttl=20231114T221320Z"));
    /// ```
    pub const fn until(mut self, ttl: SystemTime) -> Self {
        self.ttl = Some(ttl);
        self
    }

    /// Reads the header's value: pairs of a name and a value, of which the unknown ones are passed over.
    /// `None` if it is malformed, or says nothing about an attempt.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::wire::aws::SdkRequest;
    ///
    /// let said = SdkRequest::parse("attempt=2; max=3").unwrap();
    /// assert_eq!((said.attempt, said.max, said.ttl), (2, Some(3), None));
    /// assert_eq!(SdkRequest::parse("max=3"), None);
    /// ```
    #[must_use]
    pub fn parse(value: &str) -> Option<Self> {
        let (mut ttl, mut attempt, mut max) = (None, None, None);
        for pair in value.split(';') {
            let (name, value) = pair.trim_matches([' ', '\t']).split_once('=')?;
            match name {
                "ttl" => ttl = Some(parse_time(value)?),
                "attempt" => attempt = Some(number(value)?),
                "max" => max = Some(number(value)?),
                _ => {}
            }
        }
        let attempt = attempt?;
        max.is_none_or(|max| max >= attempt).then_some(Self { ttl, attempt, max })
    }
}

fn number(value: &str) -> Option<u32> {
    u32::try_from(digits::number(value, 10)?).ok().filter(|number| *number >= 1)
}

impl fmt::Display for SdkRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(ttl) = self.ttl.and_then(format_time) {
            write!(f, "ttl={ttl}; ")?;
        }
        write!(f, "attempt={}", self.attempt)?;
        match self.max {
            Some(max) => write!(f, "; max={max}"),
            None => Ok(()),
        }
    }
}

/// `YYYYMMDDThhmmssZ`, rounded down to the second.
fn format_time(time: SystemTime) -> Option<String> {
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs();
    let Civil { year, month, day, hour, minute, second } = Civil::at(seconds);
    (year <= 9_999).then(|| format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z"))
}

/// The other way round; `None` for what is no time, or before 1970.
fn parse_time(text: &str) -> Option<SystemTime> {
    let part = |from: usize, to: usize| digits::number(text.get(from..to)?, to - from);
    let marks = text.len() == 16 && text.get(8..9) == Some("T") && text.get(15..) == Some("Z");
    let (year, month, day) = (part(0, 4)?, part(4, 6)?, part(6, 8)?);
    let (hour, minute, second) = (part(9, 11)?, part(11, 13)?, part(13, 15)?);
    let seconds = Civil { year, month, day, hour, minute, second }.seconds().filter(|_| marks)?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    proptest! {
        #[test]
        #[cfg_attr(miri, ignore = "very many values")]
        fn what_was_written_is_read(
            attempt in 1u32..,
            more in proptest::option::of(any::<u32>()),
            // To the end of the year 9999.
            ttl in proptest::option::of(0u64..253_402_300_800),
        ) {
            let max = more.map(|more| attempt.saturating_add(more));
            let request = SdkRequest { ttl: ttl.map(at), attempt, max };
            prop_assert_eq!(SdkRequest::parse(&request.to_string()), Some(request));
        }

        #[test]
        #[cfg_attr(miri, ignore = "very many values")]
        fn nothing_that_is_read_panics(text in any::<String>()) {
            let _ = SdkRequest::parse(&text);
        }

        #[test]
        #[cfg_attr(miri, ignore = "very many values")]
        fn nothing_like_a_time_panics(text in "ttl=[0-9TZä]{0,18}; attempt=1") {
            let _ = SdkRequest::parse(&text);
        }
    }

    #[test]
    fn the_sdk_s_own_header_is_read() {
        let read = SdkRequest::parse("ttl=20261129T182501Z; attempt=2; max=3").unwrap();
        assert_eq!(read, SdkRequest::new(2, Some(3)).until(at(1_795_976_701)));
        assert_eq!(read.to_string(), "ttl=20261129T182501Z; attempt=2; max=3");
        assert_eq!(SdkRequest::parse("attempt=1"), Some(SdkRequest::new(1, None)));
        assert_eq!(SdkRequest::parse("x=y; attempt=1; max=4"), Some(SdkRequest::new(1, Some(4))));
    }

    #[test]
    fn malformed_values_are_none() {
        for value in [
            "",
            "max=3",
            "attempt=0",
            "attempt=x",
            "attempt=3; max=2",
            "attempt",
            "attempt=1;",
            "ttl=x; attempt=1",
            "ttl=20260229T000000Z; attempt=1",
            "ttl=20261301T000000Z; attempt=1",
            "ttl=20261129T240000Z; attempt=1",
            "ttl=19691231T235959Z; attempt=1",
            "ttl=20261129 182501Z; attempt=1",
            "attempt=4294967296",
        ] {
            assert_eq!(SdkRequest::parse(value), None, "{value:?}");
        }
    }

    #[test]
    fn a_time_that_has_no_four_digit_year_is_left_out() {
        let request = SdkRequest::new(2, None).until(at(253_402_300_800));
        assert_eq!(request.to_string(), "attempt=2");
        assert_eq!(
            SdkRequest::new(2, None).until(at(0)).to_string(),
            "ttl=19700101T000000Z; attempt=2"
        );
        assert_eq!(format_time(at(951_782_400)).as_deref(), Some("20000229T000000Z"));
    }
}
