//! What a `Retry-After` field asks for.
#![cfg(feature = "http-1")]

use std::process::Command;
use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderValue, header};
use proptest::prelude::*;
use retry_runtime::RetryAfter;

/// One moment in the three forms of RFC 9110, section 5.6.7, and as seconds since 1970.
const DATES: [&str; 3] =
    ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"];
const SECONDS: u64 = 784_111_777;

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

/// The wait that one value asks for, with no `Date` and the wall clock at [`SECONDS`].
fn wait(value: &str) -> Option<Duration> {
    RetryAfter::parse(value).and_then(|after| after.wait(None, at(SECONDS)))
}

fn headers(fields: &[(header::HeaderName, &str)]) -> HeaderMap {
    fields
        .iter()
        .map(|(name, value)| (name.clone(), HeaderValue::from_bytes(value.as_bytes()).unwrap()))
        .fold(HeaderMap::new(), |mut headers, (name, value)| {
            headers.append(name, value);
            headers
        })
}

#[test]
fn whole_seconds_are_the_wait() {
    for (value, seconds) in [("1", 1), ("120", 120), ("0030", 30), (" 7 ", 7), ("\t7\t", 7)] {
        assert_eq!(wait(value), Some(Duration::from_secs(seconds)), "{value:?}");
    }
}

// R055
#[test]
fn fractional_seconds_are_rounded_up_to_the_millisecond() {
    let table = [
        ("0.503", 503),
        ("0.5031", 504),
        ("0.5030", 503),
        ("1.5", 1500),
        ("2.0", 2000),
        ("0.001", 1),
        ("0.0000000000000000000000000000000000000001", 1),
        ("0.9999", 1000),
        ("59.9999", 60_000),
    ];
    for (value, millis) in table {
        assert_eq!(wait(value), Some(Duration::from_millis(millis)), "{value:?}");
    }
}

// R053, R059
#[test]
fn zero_negative_and_malformed_values_ask_for_nothing() {
    let values = [
        "0",
        "0.0",
        "000",
        "-1",
        "-0",
        "-0.5",
        "",
        " ",
        "+5",
        "5s",
        "5 s",
        "1 2",
        "1,2",
        "1_000",
        "1e3",
        "0x10",
        ".5",
        "5.",
        ".",
        "1.2.3",
        "1.-2",
        "1.+2",
        "NaN",
        "nan",
        "inf",
        "Infinity",
        "٣",
        "５",
        "soon",
        "null",
        "Wed, 99 Foo",
    ];
    for value in values {
        assert_eq!(RetryAfter::parse(value), None, "{value:?}");
        assert_eq!(RetryAfter::from_headers(&headers(&[(header::RETRY_AFTER, value)])), None);
    }
}

// R059
#[test]
fn malformed_dates_ask_for_nothing() {
    let values = [
        "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 +0900",
        "Sun, 31 Feb 2094 08:49:37 GMT",
        "Sun, 06 Nov 2094 25:49:37 GMT",
        "Mon, 06 Nov 1994 08:49:37 GMT",
        "2094-11-06T08:49:37Z",
        "Sonntag, 06 Nov 2094 08:49:37 GMT",
    ];
    for value in values {
        assert_eq!(RetryAfter::parse(value), None, "{value:?}");
    }
}

// R019, R057
#[test]
fn huge_values_saturate() {
    let centuries = 484_289 * 3600;
    assert_eq!(wait(&centuries.to_string()), Some(Duration::from_secs(centuries)));
    assert_eq!(wait(&u64::MAX.to_string()), Some(Duration::from_secs(u64::MAX)));
    for value in ["18446744073709551616", &"9".repeat(5000), "18446744073709551615.9999"] {
        assert_eq!(wait(value), Some(Duration::MAX), "{value:?}");
    }
    // The last date that HTTP can write.
    let last = wait("Fri, 31 Dec 9999 23:59:59 GMT").unwrap();
    assert_eq!(last, Duration::from_secs(253_402_300_799 - SECONDS));
}

#[test]
fn a_date_counts_from_the_wall_clock() {
    for date in DATES {
        let after = RetryAfter::parse(date).unwrap();
        assert_eq!(after.wait(None, at(SECONDS - 120)), Some(Duration::from_secs(120)), "{date}");
        let close = at(SECONDS) - Duration::from_millis(1);
        assert_eq!(after.wait(None, close), Some(Duration::from_millis(1)), "{date}");
    }
}

// R053
#[test]
fn a_date_that_has_passed_asks_for_nothing() {
    for date in DATES {
        let after = RetryAfter::parse(date).unwrap();
        for now in [at(SECONDS), at(SECONDS + 1), at(SECONDS + 1_000_000_000)] {
            assert_eq!(after.wait(None, now), None, "{date}");
        }
        let passed = headers(&[(header::RETRY_AFTER, date)]);
        assert_eq!(RetryAfter::from_headers(&passed), None, "{date}");
    }
}

#[test]
fn the_date_of_the_response_cancels_clock_skew() {
    let sent = "Sun, 06 Nov 1994 08:49:07 GMT";
    for date in DATES {
        let after = RetryAfter::parse(date).unwrap();
        for now in [at(0), at(SECONDS), at(SECONDS + 1_000_000_000)] {
            assert_eq!(after.wait(Some(sent), now), Some(Duration::from_secs(30)), "{date}");
        }
        let response = headers(&[(header::RETRY_AFTER, date), (header::DATE, sent)]);
        assert_eq!(RetryAfter::from_headers(&response), Some(Duration::from_secs(30)), "{date}");
    }
}

#[test]
fn a_malformed_date_of_the_response_leaves_the_wall_clock() {
    let after = RetryAfter::parse(DATES[0]).unwrap();
    let wait = after.wait(Some("yesterday"), at(SECONDS - 5));
    assert_eq!(wait, Some(Duration::from_secs(5)));
}

#[test]
fn without_a_date_of_the_response_headers_are_read_by_the_wall_clock() {
    let soon = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(3600));
    let response = headers(&[(header::RETRY_AFTER, &soon), (header::DATE, "yesterday")]);
    let wait = RetryAfter::from_headers(&response).unwrap();
    // Up to a second is lost in the format, the rest allows for a slow machine.
    assert!(wait <= Duration::from_secs(3600) && wait > Duration::from_secs(3000), "{wait:?}");
}

#[test]
fn seconds_need_no_clock() {
    let after = RetryAfter::parse("9").unwrap();
    assert_eq!(after.wait(Some("yesterday"), at(0)), Some(Duration::from_secs(9)));
    assert_eq!(after.wait(Some(DATES[0]), at(SECONDS)), Some(Duration::from_secs(9)));
}

#[test]
fn no_field_is_no_hint() {
    assert_eq!(RetryAfter::from_headers(&HeaderMap::new()), None);
    assert_eq!(RetryAfter::from_headers(&headers(&[(header::DATE, DATES[0])])), None);
}

#[test]
fn of_several_fields_the_longest_wait_counts() {
    let after = |value| (header::RETRY_AFTER, value);
    let response = headers(&[after("2"), after("soon"), after("30"), after("7")]);
    assert_eq!(RetryAfter::from_headers(&response), Some(Duration::from_secs(30)));

    let sent = (header::DATE, "Sun, 06 Nov 1994 08:48:37 GMT");
    let response = headers(&[after("59"), after(DATES[0]), sent]);
    assert_eq!(RetryAfter::from_headers(&response), Some(Duration::from_secs(60)));
}

#[test]
fn values_that_are_not_text_ask_for_nothing() {
    let mut response = HeaderMap::new();
    response.insert(header::RETRY_AFTER, HeaderValue::from_bytes(b"12\xff").unwrap());
    assert_eq!(RetryAfter::from_headers(&response), None);
    response.append(header::RETRY_AFTER, HeaderValue::from_static("12"));
    assert_eq!(RetryAfter::from_headers(&response), Some(Duration::from_secs(12)));
}

// R051
#[test]
fn dates_are_gmt_whatever_the_time_zone() {
    const CHILD: &str = "STORMLESS_TEST_TIME_ZONE";
    if std::env::var_os(CHILD).is_some() {
        a_date_counts_from_the_wall_clock();
        without_a_date_of_the_response_headers_are_read_by_the_wall_clock();
        return;
    }
    // New York and Tokyo, by rules that need no zone database.
    for zone in ["EST5EDT,M3.2.0,M11.1.0", "JST-9"] {
        // A process's zone is settled when it starts, so each has one of its own.
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "dates_are_gmt_whatever_the_time_zone"])
            .env("TZ", zone)
            .env(CHILD, "yes")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success() && said.contains("1 passed"), "{zone}: {said}");
    }
}

proptest! {
    #[cfg_attr(miri, ignore = "very many values")]
    #[test]
    fn no_text_panics_and_every_wait_is_positive(
        value in any::<String>(), date in any::<String>(), now in 0..u64::from(u32::MAX),
    ) {
        if let Some(after) = RetryAfter::parse(&value) {
            prop_assert_ne!(after.wait(Some(&date), at(now)), Some(Duration::ZERO));
        }
    }

    #[cfg_attr(miri, ignore = "very many values")]
    #[test]
    fn no_near_miss_of_a_value_panics(
        value in "[0-9SunMoJaGT ,.:+-]{0,32}|Sun, [0-9]{2} Nov [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT",
        now in any::<u32>(),
    ) {
        if let Some(after) = RetryAfter::parse(&value) {
            prop_assert_ne!(after.wait(Some(&value), at(now.into())), Some(Duration::ZERO));
        }
    }

    #[cfg_attr(miri, ignore = "very many values")]
    #[test]
    fn no_bytes_in_a_header_panic(
        values in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..4),
        date in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let mut response = HeaderMap::new();
        for value in values.iter().filter_map(|bytes| HeaderValue::from_bytes(bytes).ok()) {
            response.append(header::RETRY_AFTER, value);
        }
        if let Ok(date) = HeaderValue::from_bytes(&date) {
            response.insert(header::DATE, date);
        }
        prop_assert_ne!(RetryAfter::from_headers(&response), Some(Duration::ZERO));
    }

    #[cfg_attr(miri, ignore = "very many values")]
    #[test]
    fn seconds_round_trip(seconds in 1_u64..) {
        prop_assert_eq!(wait(&seconds.to_string()), Some(Duration::from_secs(seconds)));
    }

    #[cfg_attr(miri, ignore = "very many values")]
    #[test]
    fn milliseconds_round_trip(millis in 1_u64..) {
        let value = format!("{}.{:03}", millis / 1000, millis % 1000);
        prop_assert_eq!(wait(&value), Some(Duration::from_millis(millis)));
    }

    #[cfg_attr(miri, ignore = "very many values")]
    #[test]
    fn a_fraction_is_never_shortened_and_grows_by_less_than_a_millisecond(
        seconds in 0..u64::from(u32::MAX), nanos in 1_u32..1_000_000_000,
    ) {
        let exact = Duration::new(seconds, nanos);
        let wait = wait(&format!("{seconds}.{nanos:09}")).unwrap();
        prop_assert!(wait >= exact && wait < exact + Duration::from_millis(1), "{wait:?}");
        prop_assert_eq!(wait.subsec_nanos() % 1_000_000, 0);
    }

    #[cfg_attr(miri, ignore = "very many values")]
    #[test]
    fn a_date_is_as_far_away_as_it_was_made(
        sent in 0_u64..200_000_000_000, away in 1_u64..50_000_000_000, now in any::<u32>(),
    ) {
        let date = httpdate::fmt_http_date(at(sent + away));
        let after = RetryAfter::parse(&date).unwrap();
        let wait = Some(Duration::from_secs(away));
        prop_assert_eq!(after.wait(None, at(sent)), wait);
        prop_assert_eq!(after.wait(None, at(sent + away)), None);
        prop_assert_eq!(after.wait(Some(&httpdate::fmt_http_date(at(sent))), at(now.into())), wait);
    }
}
