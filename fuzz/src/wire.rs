//! Headers of requests about attempts and time: `wire::extract` and `wire::inject`.

use std::{collections::HashMap, fmt::Debug, time::Duration};

use http::{HeaderMap, HeaderName, HeaderValue};
use retry_runtime::{
    Policy,
    wire::{self, Carrier, Facts, Incoming, Inject, aws, envoy, extract, grpc},
};
use tonic::metadata::MetadataMap;

use crate::{headers, still};

const POLICY: Policy = Policy::new().attempts(3);
/// All that can be written.
const ALL: Inject =
    Inject::new().idempotency_key().grpc_timeout().grpc_previous_attempts().envoy().aws();
/// The most that `stormless-attempt` and Envoy can say, and that gRPC can.
const MILLIS: Duration = Duration::from_millis(999_999_999_999_999);
const CENTURIES: Duration = Duration::from_nanos(u64::MAX / 2);
const HOURS: Duration = Duration::from_secs(99_999_999 * 3_600);

/// The input is the head of a request, and each of its values is also read by itself.
///
/// - Values that are read are printed, and read back to the same; `grpc-timeout` and Envoy's time too, to the unit.
/// - The head says the same as HTTP's headers, as gRPC's metadata, and, where no name is there twice and all is text, as a
///   map of strings.
/// - Attempts count from 1 and are not above their limit; the time that is left is no longer than any header says, and
///   one that says nothing is empty.
/// - What `inject` writes within what was extracted is what `extract` reads from it, in each carrier; written
///   again it is the same; a call in there says the same where it is suppressed, and its own attempts where not.
/// - An idempotency key, whatever it is, is written so that a header can have it, and reads back to itself.
///
/// # Panics
///
/// If one of these does not hold.
pub fn check(bytes: &[u8]) {
    let lines = headers::read(bytes);
    for value in lines.iter().filter_map(|(_, value)| value.to_str().ok()) {
        by_itself(value);
    }
    let key = crate::text(bytes);
    still::run(async { head(&lines, &key[..key.floor_char_boundary_of(100)]).await });
}

trait Boundary {
    fn floor_char_boundary_of(&self, at: usize) -> usize;
}

impl Boundary for str {
    fn floor_char_boundary_of(&self, at: usize) -> usize {
        (0..=at.min(self.len())).rev().find(|at| self.is_char_boundary(*at)).unwrap_or(0)
    }
}

fn by_itself(value: &str) {
    read_back(value, Facts::parse, Facts::to_string);
    read_back(value, aws::SdkRequest::parse, aws::SdkRequest::to_string);
    read_back(value, grpc::parse_timeout, |left| grpc::format_timeout(*left));
    read_back(value, envoy::parse_expected_timeout, |left| envoy::format_expected_timeout(*left));
    read_back(value, envoy::parse_attempt_count, u32::to_string);
    if let Some(attempt) = grpc::parse_previous_attempts(value) {
        assert!(attempt >= 1);
        let written = grpc::format_previous_attempts(attempt);
        let back = written.map_or(Some(1), |written| grpc::parse_previous_attempts(&written));
        assert_eq!(back, Some(attempt));
    }
    if let Some(facts) = Facts::parse(value) {
        assert!(facts.attempt() >= 1 && facts.max().is_none_or(|max| max >= facts.attempt()));
        assert!(facts.remaining() <= Some(MILLIS));
    }
}

fn read_back<T: PartialEq + Debug>(
    value: &str,
    read: impl Fn(&str) -> Option<T>,
    write: impl Fn(&T) -> String,
) {
    if let Some(first) = read(value) {
        let written = write(&first);
        assert_eq!(read(&written), Some(first), "{value:?} is written as {written:?}");
    }
}

async fn head(lines: &[(HeaderName, HeaderValue)], key: &str) {
    let http = headers::map(lines);
    let incoming = extract(&http);
    assert_eq!(incoming, extract(&http));
    assert_eq!(incoming, extract(&MetadataMap::from_headers(http.clone())));
    let text = |(name, value): &(HeaderName, HeaderValue)| {
        Some((name.to_string(), value.to_str().ok()?.to_owned()))
    };
    let strings: Option<HashMap<String, String>> = lines.iter().map(text).collect();
    if let Some(strings) = strings.filter(|strings| strings.len() == lines.len()) {
        assert_eq!(incoming, extract(&strings));
    }
    bounds(&http, incoming);
    injected(incoming);
    called(incoming, key).await;
}

fn bounds(http: &HeaderMap, incoming: Incoming) {
    let (attempt, max, left) = (incoming.attempt(), incoming.max(), incoming.remaining());
    assert!(attempt != Some(0));
    assert!(max.is_none_or(|max| attempt.is_some_and(|attempt| max >= attempt)));
    assert_eq!(incoming.is_retry(), attempt.is_some_and(|attempt| attempt > 1));
    assert_eq!(incoming.is_empty(), attempt.is_none() && left.is_none());
    // Whoever makes one attempt keeps nobody from retrying.
    assert!(!incoming.suppresses() || max != Some(1));
    let own = Carrier::get(http, wire::ATTEMPT).and_then(Facts::parse);
    let told = [
        own.and_then(|own| own.remaining()),
        Carrier::get(http, grpc::TIMEOUT).and_then(grpc::parse_timeout),
        Carrier::get(http, envoy::EXPECTED_TIMEOUT).and_then(envoy::parse_expected_timeout),
    ];
    let shortest = told.into_iter().flatten().min();
    assert!(shortest.is_none_or(|shortest| shortest <= MILLIS.max(HOURS)));
    // Centuries are for ever.
    let is_for_ever = shortest.is_none_or(|shortest| shortest >= CENTURIES);
    assert!(left.is_some() || is_for_ever, "{shortest:?} has no end");
    assert!(left <= shortest, "{left:?} is left of {shortest:?}");
}

/// What a request says that is sent from a service, outside of calls.
fn injected(incoming: Incoming) {
    let (mut http, mut map) = (HeaderMap::new(), HashMap::new());
    let mut metadata = MetadataMap::new();
    let facts = incoming.run(|| {
        ALL.write(&mut http);
        ALL.write(&mut metadata);
        wire::inject(&mut map);
        Facts::current()
    });
    if incoming.is_empty() {
        assert!(facts.is_none() && http.is_empty() && metadata.is_empty() && map.is_empty());
        return;
    }
    let facts = facts.expect("the request says something");
    assert_eq!(map.get(wire::ATTEMPT), Some(&facts.to_string()));
    assert_eq!(Facts::parse(&facts.to_string()), Some(facts));
    let (own, all) = (extract(&map), extract(&http));
    assert_eq!(all, extract(&metadata));
    assert_eq!((own.attempt(), own.max()), (Some(facts.attempt()), facts.max()));
    assert_eq!((all.attempt(), all.max()), (own.attempt(), own.max()));
    assert_eq!(own.suppresses(), all.suppresses());
    assert_eq!(own.suppresses(), incoming.suppresses(), "who repeats: {incoming:?}, {facts:?}");
    if incoming.suppresses() {
        assert_eq!((own.attempt(), own.max()), told(incoming));
    }
    // To the millisecond, and never more.
    let (left, told) = (incoming.remaining(), own.remaining());
    assert_eq!(left.is_some(), told.is_some());
    assert!(told <= left && all.remaining() <= left);
    let lost = left.unwrap_or_default().saturating_sub(told.unwrap_or_default());
    assert!(lost < Duration::from_millis(1) || told >= Some(MILLIS), "{left:?}, {told:?}");

    let again = own.run(Facts::current).expect("the second request says as much");
    assert_eq!(again, facts, "it changes as it is passed on");
}

/// What can be told of it to the next one: limits below 255, and attempts in 24 bits.
fn told(incoming: Incoming) -> (Option<u32>, Option<u32>) {
    let attempt = incoming.attempt().map(|attempt| attempt.min((1 << 24) - 1));
    (attempt, incoming.max().filter(|max| *max < 255))
}

/// What a request says that a call in the service sends.
async fn called(incoming: Incoming, key: &str) {
    let send = async || {
        let mut http = HeaderMap::new();
        ALL.write(&mut http);
        Ok::<_, std::io::Error>((http, Facts::current()))
    };
    let call = POLICY.run(send).idempotency_key(key);
    let Ok((http, facts)) = incoming.scope(call).await else {
        // The deadline was over before it began.
        assert_eq!(incoming.remaining(), Some(Duration::ZERO));
        return;
    };
    let facts = facts.expect("it is an attempt");
    let read = extract(&http);
    assert_eq!((read.attempt(), read.max()), (Some(facts.attempt()), facts.max()));
    if incoming.suppresses() {
        assert_eq!((read.attempt(), read.max()), told(incoming));
    } else {
        assert_eq!((read.is_retry(), read.max()), (false, Some(3)));
    }
    assert!(read.suppresses());
    let written = Carrier::get(&http, wire::IDEMPOTENCY_KEY).expect("a header can have it");
    assert_eq!(unquoted(written).as_deref(), Some(key), "{written}");
}

/// The text of a string or display string of RFC 9651.
fn unquoted(written: &str) -> Option<String> {
    let bytes = if let Some(text) = written.strip_prefix("%\"") {
        let mut bytes = text.strip_suffix('"')?.bytes();
        let mut read = Vec::new();
        while let Some(byte) = bytes.next() {
            let mut digit = || char::from(bytes.next()?).to_digit(16);
            read.push(if byte == b'%' {
                u8::try_from(digit()? * 16 + digit()?).ok()?
            } else {
                byte
            });
        }
        read
    } else {
        let mut bytes = written.strip_prefix('"')?.strip_suffix('"')?.bytes();
        let mut read = Vec::new();
        while let Some(byte) = bytes.next() {
            read.push(if byte == b'\\' { bytes.next()? } else { byte });
        }
        read
    };
    String::from_utf8(bytes).ok()
}
