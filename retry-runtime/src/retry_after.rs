//! The `Retry-After` field of HTTP responses.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderValue, header};

use crate::timer::platform;

/// What a `Retry-After` field asks for: a number of seconds, or a date before which the client
/// should stay away ([RFC 9110, section 10.2.3]).
///
/// [`from_headers`](Self::from_headers) does it all for a response. [`parse`](Self::parse) and
/// [`wait`](Self::wait) are its two steps, for values that do not come in a [`HeaderMap`] and for
/// tests that choose their own wall clock.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::RetryAfter;
/// use std::time::Duration;
///
/// let mut response = http::Response::new(());
/// response.headers_mut().insert("retry-after", "1.5".parse().unwrap());
///
/// // What `#[retryable(throttled, retry_after = wait)]` wants to find in its field.
/// let wait: Option<Duration> = RetryAfter::from_headers(response.headers());
/// assert_eq!(wait, Some(Duration::from_millis(1500)));
/// ```
///
/// [RFC 9110, section 10.2.3]: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryAfter(Asked);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Wait(Duration),
    Until(SystemTime),
}

impl RetryAfter {
    /// How long a response asks its client to stay away, from the moment it was received; `None` if
    /// it does not ask, or not for a time that lies ahead.
    ///
    /// Of several fields the longest wait counts, so that no retry is earlier than any of them asks;
    /// malformed ones are passed over. A date is compared with the response's own `Date`, so that
    /// both come from one clock and the skew between server and client cancels out. The wall clock
    /// is read only for a date in a response without a usable `Date`.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use http::HeaderMap;
    /// use stormless::RetryAfter;
    /// use std::time::Duration;
    ///
    /// let mut headers = HeaderMap::new();
    /// headers.append("retry-after", "2".parse().unwrap());
    /// headers.append("retry-after", "5".parse().unwrap());
    /// assert_eq!(RetryAfter::from_headers(&headers), Some(Duration::from_secs(5)));
    /// assert_eq!(RetryAfter::from_headers(&HeaderMap::new()), None);
    /// ```
    #[must_use]
    pub fn from_headers(headers: &HeaderMap) -> Option<Duration> {
        texts(headers, &header::RETRY_AFTER)
            .filter_map(Self::parse)
            .filter_map(|after| after.from(|| sent(headers)))
            .max()
    }

    /// Reads the value of one field.
    ///
    /// Seconds may have a fraction, which is rounded up to the millisecond; seconds that do not fit
    /// a [`Duration`] become the longest one. Dates may have any of the three forms of HTTP, all of
    /// which are GMT. White space around the value is ignored. Zero, negative and malformed values
    /// are `None`: they ask for nothing.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::RetryAfter;
    ///
    /// assert!(RetryAfter::parse("120").is_some());
    /// assert!(RetryAfter::parse("Sun, 06 Nov 1994 08:49:37 GMT").is_some());
    /// assert!(RetryAfter::parse("soon").is_none());
    /// ```
    #[must_use]
    pub fn parse(value: &str) -> Option<Self> {
        let value = value.trim();
        let asked = seconds(value).map(Asked::Wait).or_else(|| http_date(value).map(Asked::Until));
        asked.filter(|asked| *asked != Asked::Wait(Duration::ZERO)).map(Self)
    }

    /// The wait that this asks for, from the moment the response was received.
    ///
    /// A date is counted from `date`, the value of the same response's `Date` field, or from `now`,
    /// the wall clock, where that is missing or malformed. One that has passed is `None`. Seconds
    /// need neither.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::RetryAfter;
    /// use std::time::{Duration, SystemTime};
    ///
    /// let after = RetryAfter::parse("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
    /// let wait = after.wait(Some("Sun, 06 Nov 1994 08:49:07 GMT"), SystemTime::now());
    /// assert_eq!(wait, Some(Duration::from_secs(30)));
    /// ```
    #[must_use]
    pub fn wait(self, date: Option<&str>, now: SystemTime) -> Option<Duration> {
        self.from(|| Some(date.and_then(http_date).unwrap_or(now)))
    }

    fn from(self, sent: impl FnOnce() -> Option<SystemTime>) -> Option<Duration> {
        match self.0 {
            Asked::Wait(wait) => Some(wait),
            Asked::Until(date) => date.duration_since(sent()?).ok().filter(|wait| !wait.is_zero()),
        }
    }
}

/// When a response was sent, by its own clock; where it does not say, now, where that is known.
pub(crate) fn sent(headers: &HeaderMap) -> Option<SystemTime> {
    texts(headers, &header::DATE).find_map(http_date).or_else(platform::date)
}

/// The values of a field that are text; HTTP allows bytes that are not.
fn texts<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> impl Iterator<Item = &'a str> {
    headers.get_all(name).into_iter().map(HeaderValue::to_str).filter_map(Result::ok)
}

fn http_date(value: &str) -> Option<SystemTime> {
    httpdate::parse_http_date(value).ok()
}

/// `1*DIGIT [ "." 1*DIGIT ]`: the grammar of the RFC, and the fractions that servers send anyway.
fn seconds(value: &str) -> Option<Duration> {
    let (whole, fraction) = match value.split_once('.') {
        Some((whole, fraction)) => (digits(whole)?, digits(fraction)?),
        None => (digits(value)?, ""),
    };
    // All digits, so the only possible fault is that there are too many of them.
    let Ok(whole) = whole.parse() else { return Some(Duration::MAX) };
    let millis = fraction.bytes().chain(*b"000").take(3);
    let millis = millis.fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    // Up, because down would come back earlier than asked.
    let rest = fraction.bytes().skip(3).any(|digit| digit != b'0');
    let part = Duration::from_millis(millis + u64::from(rest));
    Some(Duration::from_secs(whole).saturating_add(part))
}

fn digits(text: &str) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}
