//! What Envoy says about attempts and time: `x-envoy-attempt-count` and `x-envoy-expected-rq-timeout-ms`.
//!
//! Source: Envoy's documentation of its
//! [router](https://www.envoyproxy.io/docs/envoy/latest/configuration/http/http_filters/router_filter).

use std::time::Duration;

use super::digits;

/// The number of the attempt; the first is 1.
pub const ATTEMPT_COUNT: &str = "x-envoy-attempt-count";
/// The time for which the caller waits, in milliseconds.
pub const EXPECTED_TIMEOUT: &str = "x-envoy-expected-rq-timeout-ms";

/// Reads `x-envoy-attempt-count`; `None` if it is malformed.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::wire::envoy;
///
/// assert_eq!(envoy::parse_attempt_count("2"), Some(2));
/// assert_eq!(envoy::parse_attempt_count("two"), None);
/// ```
#[must_use]
pub fn parse_attempt_count(value: &str) -> Option<u32> {
    u32::try_from(digits::number(value, 10)?).ok().filter(|attempt| *attempt >= 1)
}

/// Reads `x-envoy-expected-rq-timeout-ms`; `None` if it is malformed.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::wire::envoy;
/// use std::time::Duration;
///
/// assert_eq!(envoy::parse_expected_timeout("1500"), Some(Duration::from_millis(1500)));
/// ```
#[must_use]
pub fn parse_expected_timeout(value: &str) -> Option<Duration> {
    digits::number(value, 15).map(Duration::from_millis)
}

/// Writes `x-envoy-expected-rq-timeout-ms`: never more than `left`.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::wire::envoy;
/// use std::time::Duration;
///
/// assert_eq!(envoy::format_expected_timeout(Duration::from_micros(1_500_900)), "1500");
/// ```
#[must_use]
pub fn format_expected_timeout(left: Duration) -> String {
    left.as_millis().min(999_999_999_999_999).to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        #[cfg_attr(miri, ignore = "very many values")]
        fn nothing_that_is_read_panics(text in any::<String>()) {
            let _ = (parse_attempt_count(&text), parse_expected_timeout(&text));
        }

        #[test]
        #[cfg_attr(miri, ignore = "very many values")]
        fn never_more_is_written_than_is_left(nanos in any::<u64>()) {
            let left = Duration::from_nanos(nanos);
            let read = parse_expected_timeout(&format_expected_timeout(left)).unwrap();
            prop_assert!(read <= left && left.saturating_sub(read) < Duration::from_millis(1));
        }
    }

    #[test]
    fn attempts_count_from_one() {
        assert_eq!(parse_attempt_count("1"), Some(1));
        for text in ["0", "", "-1", "4294967296", "1, 2", "x"] {
            assert_eq!(parse_attempt_count(text), None, "{text:?}");
        }
        assert_eq!(
            parse_expected_timeout(&format_expected_timeout(Duration::MAX)).map(|t| t.as_millis()),
            Some(999_999_999_999_999)
        );
    }
}
