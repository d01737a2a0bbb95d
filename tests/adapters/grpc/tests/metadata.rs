//! What proxies and servers of HTTP say beside a status, in fields that gRPC has not.

use std::{convert::Infallible, time::Duration};

use stormless::{
    Classification,
    Hint::{self, DoNotRetry, RetryAfter},
    Kind, Retryable,
    tonic::classify_http,
};
use tonic::{Code, Status, metadata::MetadataMap};

type Fields<'a> = &'a [(&'static str, &'a str)];

/// What tonic's client makes of it, and what a service around its channel sees, which must be the same.
fn class(code: Code, fields: Fields) -> Classification {
    let mut head = http::Response::builder().header("grpc-status", (code as i32).to_string());
    for (name, value) in fields {
        head = head.header(*name, *value);
    }
    let head = head.body(()).expect("fields");
    let mut headers = head.headers().clone();
    headers.remove("grpc-status");
    let status = Status::with_metadata(code, "", MetadataMap::from_headers(headers));
    assert_eq!(classify_http(&Ok::<_, Infallible>(head)), Some(status.classify()), "{status:?}");
    status.classify()
}

const REFUSALS: [Code; 2] = [Code::Unavailable, Code::ResourceExhausted];

const fn seconds(wait: u64) -> Duration {
    Duration::from_secs(wait)
}

#[test]
fn a_call_that_envoy_has_dropped_was_not_executed() {
    for code in REFUSALS {
        let dropped = class(code, &[("x-envoy-overloaded", "true")]);
        assert_eq!(dropped, Classification::throttled(), "{code:?}");
        let limited = class(code, &[("x-envoy-ratelimited", "true")]);
        assert_eq!(limited, Classification::throttled().retry_after(seconds(1)), "{code:?}");
        let limited = class(code, &[("x-envoy-ratelimited", "true"), ("retry-after", "5")]);
        assert_eq!(limited, Classification::throttled().retry_after(seconds(5)), "{code:?}");
    }
}

#[test]
fn what_envoy_adds_does_not_turn_another_code_into_a_refusal() {
    for name in ["x-envoy-overloaded", "x-envoy-ratelimited"] {
        assert!(class(Code::NotFound, &[(name, "true")]).is_answer(), "{name}");
        assert_eq!(class(Code::Internal, &[(name, "true")]), class(Code::Internal, &[]), "{name}");
    }
}

#[test]
fn waits_are_read_as_in_answers_of_http() {
    let rows: [(Fields, u64); 6] = [
        (&[("retry-after", "4")], 4000),
        (&[("x-amz-retry-after", "1500")], 1500),
        (&[("retry-after", "1"), ("x-amz-retry-after", "1500")], 1500),
        (&[("ratelimit", "\"default\";r=0;t=7")], 7000),
        (&[("ratelimit-remaining", "0"), ("ratelimit-reset", "3")], 3000),
        (
            &[
                ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                ("retry-after", "Sun, 06 Nov 1994 08:49:39 GMT"),
            ],
            2000,
        ),
    ];
    for (fields, millis) in rows {
        let wait = Duration::from_millis(millis);
        let away = class(Code::Unavailable, fields);
        assert_eq!(away, Classification::transient().maybe_executed().retry_after(wait));
        let busy = class(Code::ResourceExhausted, fields);
        assert_eq!(busy, Classification::throttled().retry_after(wait));
        assert!(class(Code::NotFound, fields).is_answer());
    }
}

#[test]
fn fields_that_ask_for_nothing_leave_a_quota_a_quota() {
    let rows: [Fields; 5] = [
        &[("retry-after", "soon")],
        &[("x-amz-retry-after", "-1")],
        &[("ratelimit", "\"default\";r=1;t=7")],
        &[("ratelimit", "default")],
        &[("stormless-do-not-retry", "?0")],
    ];
    for fields in rows {
        assert_eq!(class(Code::ResourceExhausted, fields), Classification::permanent());
    }
}

#[test]
fn the_mark_of_a_server_that_runs_stormless_is_final_whatever_else_is_asked_for() {
    const MARK: (&str, &str) = ("stormless-do-not-retry", "?1");
    assert_eq!(
        class(Code::Unavailable, &[MARK]),
        Classification::transient().maybe_executed().do_not_retry()
    );
    let refused = Classification::throttled().do_not_retry();
    assert_eq!(class(Code::ResourceExhausted, &[MARK]), refused);
    for other in [("grpc-retry-pushback-ms", "5"), ("retry-after", "5")] {
        assert_eq!(class(Code::ResourceExhausted, &[other, MARK]), refused, "{other:?}");
    }
    // The page of a proxy, without a status of gRPC.
    let page = http::Response::builder().status(503).header(MARK.0, MARK.1);
    let page = page.header("grpc-retry-pushback-ms", "5").body(()).expect("fields");
    assert_eq!(classify_http(&Ok::<_, Infallible>(page)), Some(refused.maybe_executed()));
}

#[test]
fn a_pushback_beats_every_other_wait() {
    let hint = |fields| class(Code::Unavailable, fields).hint();
    let wait: Option<Hint> = Some(RetryAfter(Duration::from_millis(20)));
    assert_eq!(hint(&[("retry-after", "9"), ("grpc-retry-pushback-ms", "20")]), wait);
    assert_eq!(hint(&[("retry-after", "9"), ("grpc-retry-pushback-ms", "0")]), None);
    let never = hint(&[("retry-after", "9"), ("grpc-retry-pushback-ms", "-1")]);
    assert_eq!(never, Some(DoNotRetry));
    let limited = class(
        Code::Unavailable,
        &[("x-envoy-ratelimited", "true"), ("grpc-retry-pushback-ms", "20")],
    );
    assert_eq!((limited.kind(), limited.hint()), (Kind::Throttled, wait));
}
