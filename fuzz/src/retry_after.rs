//! `Retry-After` by itself, and every other field of a response that asks for a wait.

use std::time::{Duration, SystemTime};

use http::{HeaderName, HeaderValue, StatusCode, header};
use retry_runtime::{
    Classification, Hint, RetryAfter,
    http::{classify_head, classify_head_with_base},
};

use crate::headers;

/// As the date of each response that has none.
const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
/// The most that an item of a structured field can say, in seconds.
const LONGEST_ITEM: Duration = Duration::from_secs(999_999_999_999_999);

/// The first line is a `Retry-After` and the status, as in `503 120`; the others are fields of the response.
///
/// - A wait is never zero, never shorter than the seconds that were asked for, and at most a millisecond longer. A
///   date is the one that is printed of it, and the later one asks, the shorter is the wait.
/// - `from_headers` is the longest of what the fields ask for one by one.
/// - A status below 400 is no failure, others are one. A second look, with the base delays or without, says the same.
/// - `stormless-do-not-retry` wins over all; where it is absent nothing else refuses for good.
/// - A hint is above zero, and no longer than the field that it can come from can say.
/// - Where a field stands changes nothing, unless a string goes on in another line of it; one more `Retry-After` that is malformed neither; one that is not only
///   ever makes the wait longer.
///
/// # Panics
///
/// If one of these does not hold.
pub fn check(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let line = crate::text(&bytes[..end]);
    let (status, value) = line.split_once(' ').unwrap_or(("503", line));
    by_itself(value);
    let status = status.parse().ok().and_then(|code| StatusCode::from_u16(code).ok());
    let mut lines = headers::read(&bytes[end..]);
    if let Ok(value) = HeaderValue::from_str(value) {
        lines.push((header::RETRY_AFTER, value));
    }
    lines.push((header::DATE, HeaderValue::from_static(DATE)));
    head(status.unwrap_or(StatusCode::SERVICE_UNAVAILABLE), &lines);
}

fn by_itself(value: &str) {
    let read = RetryAfter::parse(value);
    assert_eq!(read, RetryAfter::parse(&format!(" {value}\t")), "white space counts");
    let asked = seconds(value.trim());
    let Some(read) = read else {
        assert!(asked.is_none_or(|asked| asked == 0.0), "{value:?} asks for {asked:?}");
        return;
    };
    let (epoch, now) = (SystemTime::UNIX_EPOCH, httpdate::parse_http_date(DATE).unwrap());
    let wait = read.wait(None, epoch);
    assert!(wait != Some(Duration::ZERO));
    if let Some(asked) = asked {
        let wait = wait.expect("seconds need no date");
        assert_eq!(Some(wait), read.wait(Some(DATE), now));
        let longest = Duration::MAX.as_secs_f64();
        // Within the precision of a float.
        let (least, most) = (asked.min(longest), asked.min(longest) + 0.001);
        let is = wait.as_secs_f64();
        assert!(is >= least * (1.0 - 1e-12) && is <= most * (1.0 + 1e-12), "{is} for {value:?}");
        return;
    }
    if let Some(wait) = wait {
        let printed = httpdate::fmt_http_date(epoch + wait);
        assert_eq!(RetryAfter::parse(&printed), Some(read), "{printed}");
    }
    let later = read.wait(None, now);
    assert_eq!(later, read.wait(Some(DATE), epoch), "the response's own date counts");
    assert_eq!(later, read.wait(Some("yesterday"), now));
    assert!(later <= wait, "the later, the longer");
}

/// Digits, and perhaps a fraction.
fn seconds(value: &str) -> Option<f64> {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, "0"));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    (are_digits(whole) && are_digits(fraction)).then(|| value.parse().expect("it is a number"))
}

fn head(status: StatusCode, lines: &[(HeaderName, HeaderValue)]) {
    let fields = headers::map(lines);
    let class = classify_head(status, &fields);
    assert_eq!(class, classify_head(status, &fields));
    assert_eq!(class.is_some(), status.as_u16() >= 400);
    one_by_one(lines);

    // Which of several dates is that of the response is for the server to say. And the lines of a structured field are
    // joined before they are read (RFC 9651, 4.2), so that a string may begin in one and end in another.
    let dates = lines.iter().filter(|(name, _)| name == header::DATE).count();
    if dates == 1 && !lines.iter().any(|(_, value)| leaves_a_string_open(value.as_bytes())) {
        let reversed: Vec<_> = lines.iter().rev().cloned().collect();
        assert_eq!(classify_head(status, &headers::map(&reversed)), class, "the order counts");
    }
    let Some(class) = class else { return };
    let with_base = classify_head_with_base(status, &fields).expect("the status is the same");
    let said = |class: Classification| (class.kind(), class.execution(), class.hint());
    assert_eq!(said(with_base), said(class));

    let mut more = fields.clone();
    more.append(header::RETRY_AFTER, HeaderValue::from_static("soon"));
    assert_eq!(classify_head(status, &more), Some(class), "a malformed field says something");
    if let Some(Hint::RetryAfter(wait)) = class.hint() {
        bounds(wait, lines);
        more.append(header::RETRY_AFTER, HeaderValue::from_static("7"));
        let longer = classify_head(status, &more).and_then(|class| class.hint());
        let outright = lines.iter().any(|(name, _)| name.as_str().contains("retry-after"));
        let is_longer = |longer| matches!(longer, Some(Hint::RetryAfter(longer)) if longer >= Duration::from_secs(7) && (!outright || longer >= wait || from_limits(lines)));
        assert!(is_longer(longer), "{longer:?} after {wait:?}");
    }
    let is_final = class.hint() == Some(Hint::DoNotRetry);
    assert!(!is_final || fields.contains_key("stormless-do-not-retry"));
    more.append("stormless-do-not-retry", HeaderValue::from_static("?1"));
    let refused = classify_head(status, &more).and_then(|class| class.hint());
    assert_eq!(refused, Some(Hint::DoNotRetry));
}

fn leaves_a_string_open(line: &[u8]) -> bool {
    let (mut is_open, mut is_escaped) = (false, false);
    for byte in line {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_open,
            b'"' => is_open = !is_open,
            _ => {}
        }
    }
    is_open
}

/// Whether the wait may come from bookkeeping, which a `Retry-After` takes the place of.
fn from_limits(lines: &[(HeaderName, HeaderValue)]) -> bool {
    lines.iter().any(|(name, _)| name.as_str().contains("ratelimit"))
}

fn one_by_one(lines: &[(HeaderName, HeaderValue)]) {
    let fields = headers::map(lines);
    let date = fields.get_all(header::DATE).into_iter().filter_map(|date| date.to_str().ok());
    let date = date.filter(|date| httpdate::parse_http_date(date).is_ok()).collect::<Vec<_>>();
    let waits = fields.get_all(header::RETRY_AFTER).into_iter();
    let waits = waits.filter_map(|value| RetryAfter::parse(value.to_str().ok()?));
    let longest =
        waits.filter_map(|after| after.wait(date.first().copied(), SystemTime::UNIX_EPOCH)).max();
    assert_eq!(RetryAfter::from_headers(&fields), longest);
}

/// The table of `stormless::http` says what each field can ask for.
fn bounds(wait: Duration, lines: &[(HeaderName, HeaderValue)]) {
    assert!(wait > Duration::ZERO);
    let most = lines.iter().map(|(name, _)| match name.as_str() {
        "retry-after" => Duration::MAX,
        "x-amz-retry-after" => Duration::from_millis(u64::MAX),
        "ratelimit" => LONGEST_ITEM,
        "ratelimit-reset" => Duration::from_secs(1_000_000_000),
        // Until the year 5138, from no earlier than 1970.
        "x-ratelimit-reset" => Duration::from_secs(100_000_000_000),
        "x-envoy-ratelimited" => Duration::from_secs(1),
        _ => Duration::ZERO,
    });
    assert!(most.max().is_some_and(|most| wait <= most), "{wait:?} from nowhere");
}
