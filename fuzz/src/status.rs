//! What a gRPC server asks for beside its code: pushback, `RetryInfo`, and HTTP's fields in the metadata.

use std::time::Duration;

use http::header;
use retry_runtime::{Classification, Hint, Kind, Retryable};
use tonic::{Code, Status, metadata::MetadataMap};

use crate::headers;

/// The first byte is a code, the second says how many bytes of details follow, and the rest is metadata.
///
/// - A second look says the same, and so does the status as it comes from a server's trailers.
/// - A hint is above zero. A pushback that is a number of at most 31 bits is the wait; any other, and two, refuse for good, as does
///   `stormless-do-not-retry`.
/// - What the server asks for changes neither a final answer into one that may be repeated, nor a hint into one where
///   there is nothing beside the code.
/// - The label is that of the code, whatever stands beside it.
///
/// # Panics
///
/// If one of these does not hold.
pub fn check(bytes: &[u8]) {
    let [code, length, rest @ ..] = bytes else { return };
    let code = Code::from_i32((code % 17).into());
    let (details, rest) = rest.split_at(usize::from(*length).min(rest.len()));
    let mut lines = headers::read(rest);
    // The wall clock is for answers that have no date.
    lines.retain(|(name, _)| !name.as_str().starts_with("grpc-") || name == PUSHBACK);
    let mut fields = headers::map(&lines);
    fields.append(header::DATE, http::HeaderValue::from_static("Sun, 06 Nov 1994 08:49:37 GMT"));

    let metadata = MetadataMap::from_headers(fields.clone());
    let status = Status::with_details_and_metadata(code, "no", details.to_vec().into(), metadata);
    let class = status.classify();
    assert_eq!(class, status.classify());
    assert_eq!(status.label(), Status::new(code, "").label());
    from_trailers(&status, class);

    let hint = class.hint();
    assert!(hint != Some(Hint::RetryAfter(Duration::ZERO)));
    let bare = Status::new(code, "no").classify();
    assert_eq!(bare.hint(), None);
    if bare.kind() == Kind::Permanent && code != Code::ResourceExhausted {
        assert_eq!(class.kind(), Kind::Permanent, "it has become {class:?}");
    }
    pushback(&fields, code, hint);
}

const PUSHBACK: &str = "grpc-retry-pushback-ms";

fn pushback(fields: &http::HeaderMap, code: Code, hint: Option<Hint>) {
    let all: Vec<_> = fields.get_all(PUSHBACK).into_iter().collect();
    let [first, others @ ..] = &all[..] else { return };
    let digits = first.to_str().ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
    let millis = digits.and_then(|digits| digits.parse::<i32>().ok());
    let refused_by_mark = hint == Some(Hint::DoNotRetry);
    match millis.and_then(|millis| u64::try_from(millis).ok()) {
        Some(millis) if others.is_empty() => {
            let wait = Some(Hint::RetryAfter(Duration::from_millis(millis)));
            let may_return = !matches!(
                Status::new(code, "").classify().kind(),
                Kind::Permanent | Kind::Cancelled
            );
            if millis > 0 && may_return && !refused_by_mark {
                assert_eq!(hint, wait);
            }
            assert!(!refused_by_mark || fields.contains_key("stormless-do-not-retry"));
        }
        // What the format has not, such as `-0`, is for whoever reads it.
        None if first.as_bytes() == b"-0" => {}
        _ => assert_eq!(hint, Some(Hint::DoNotRetry), "pushback {all:?}"),
    }
}

/// As a client has it that has read it from the connection.
fn from_trailers(status: &Status, class: Classification) {
    let mut trailers = http::HeaderMap::new();
    if status.add_header(&mut trailers).is_err() {
        return;
    }
    let Some(back) = Status::from_header_map(&trailers) else { return };
    if back.details() == status.details() && back.code() == status.code() {
        assert_eq!(back.classify(), class, "{trailers:?}");
    }
}
