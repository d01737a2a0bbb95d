//! How long the fields of a response ask to be left alone.

use std::time::{Duration, SystemTime};

use ::http::{HeaderMap, HeaderName, HeaderValue};

use crate::{
    RetryAfter, retry_after,
    structured::{self, Bare},
};

/// A limit of Envoy's rate limit service is so much a second at the finest, and the local filter's bucket
/// is typically filled once a second.
pub(super) const FINEST_PERIOD: Duration = Duration::from_secs(1);

/// The wait that the fields ask for, from the moment the response was received.
pub(super) fn asked(headers: &HeaderMap) -> Option<Duration> {
    // "Retry-After takes precedence", as the draft has it: it is meant, the rest is bookkeeping.
    outright(headers)
        .or_else(|| rate_limit(headers))
        .or_else(|| reset_in_seconds(headers))
        .or_else(|| reset_at(headers))
        .filter(|wait| !wait.is_zero())
}

/// Whether a refusal is one of a limit, as GitHub's 403 is: the fields ask for a wait, or say that nothing is left.
pub(super) fn is_limited(headers: &HeaderMap) -> bool {
    asked(headers).is_some() || used_up(headers, "x-ratelimit-remaining").is_some()
}

/// The longer one of those that name a wait and nothing else.
pub(in crate::adapters) fn outright(headers: &HeaderMap) -> Option<Duration> {
    RetryAfter::from_headers(headers).max(amazon(headers))
}

pub(in crate::adapters) const AMAZON: HeaderName = HeaderName::from_static("x-amz-retry-after");

/// Milliseconds, as the AWS SDKs read them.
fn amazon(headers: &HeaderMap) -> Option<Duration> {
    let values = headers.get_all(AMAZON).into_iter().filter_map(|value| text(value));
    values.filter_map(digits).max().map(Duration::from_millis)
}

/// `"default";r=0;t=5`: nothing left of a limit, for so many seconds more
/// (draft-ietf-httpapi-ratelimit-headers-10).
fn rate_limit(headers: &HeaderMap) -> Option<Duration> {
    let field = lines(headers, "ratelimit")?;
    let limits = structured::list(&field)?;
    let used_up = limits.iter().filter(|limit| matches!(limit.value, Bare::String));
    let used_up = used_up.filter(|limit| limit.parameter("r") == Some(Bare::Integer(0)));
    let seconds = used_up.filter_map(|limit| match limit.parameter("t")? {
        Bare::Integer(seconds) => u64::try_from(seconds).ok(),
        _ => None,
    });
    seconds.max().map(Duration::from_secs)
}

/// All lines of a field as one; `None` if there is none, or one that is not text.
fn lines(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(name).into_iter().map(|line| line.to_str().ok());
    let lines: Vec<_> = lines.collect::<Option<_>>()?;
    (!lines.is_empty()).then(|| lines.join(", "))
}

/// The fields of the drafts 00 to 06, which know nothing but seconds from now.
fn reset_in_seconds(headers: &HeaderMap) -> Option<Duration> {
    used_up(headers, "ratelimit-remaining")?;
    let seconds = number(headers, "ratelimit-reset")?;
    // Nobody locks a client out for 31 years: whoever sends so much means something else.
    (seconds < LONG_AGO).then(|| Duration::from_secs(seconds))
}

/// The field that was never written down: GitHub and others give a point in time, others so many seconds,
/// or milliseconds, from now. Only a number that cannot be the latter is understood.
fn reset_at(headers: &HeaderMap) -> Option<Duration> {
    used_up(headers, "x-ratelimit-remaining")?;
    let seconds = number(headers, "x-ratelimit-reset")?;
    if !(LONG_AGO..FAR_AWAY).contains(&seconds) {
        return None;
    }
    let then = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?;
    then.duration_since(retry_after::sent(headers)?).ok()
}

/// The ninth of September 2001, in seconds since 1970.
const LONG_AGO: u64 = 1_000_000_000;
/// The year 5138. In milliseconds, it is long past.
const FAR_AWAY: u64 = 100_000_000_000;

fn used_up(headers: &HeaderMap, name: &str) -> Option<()> {
    (number(headers, name)? == 0).then_some(())
}

/// The number in a field that is there once.
fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    let mut values = headers.get_all(name).into_iter();
    let value = values.next()?;
    if values.next().is_some() {
        return None;
    }
    digits(text(value)?)
}

fn text(value: &HeaderValue) -> Option<&str> {
    value.to_str().ok().map(str::trim)
}

/// What is too large is the largest: whoever asks for so much time must not be asked again at once.
fn digits(text: &str) -> Option<u64> {
    let only = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    only.then(|| text.parse().unwrap_or(u64::MAX))
}
