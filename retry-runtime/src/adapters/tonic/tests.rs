use std::convert::Infallible;

use ::http::Response;

use super::classify_http;
use crate::{Classification, Execution, Hint, Kind};

fn answered(status: u16, field: Option<(&str, &str)>) -> Option<Classification> {
    let mut response = Response::builder().status(status);
    if let Some((name, value)) = field {
        response = response.header(name, value);
    }
    classify_http(&Ok::<_, Infallible>(response.body(()).unwrap()))
}

#[test]
fn a_proxy_may_answer_in_place_of_a_server_that_did_the_work() {
    for (status, kind) in [
        (429, Kind::Throttled),
        (502, Kind::Transient),
        (503, Kind::Throttled),
        (504, Kind::Timeout),
        (408, Kind::Permanent),
        (421, Kind::Permanent),
        (425, Kind::Permanent),
        (500, Kind::Permanent),
    ] {
        let class = answered(status, None).unwrap();
        let said = (class.kind(), class.execution());
        assert_eq!(said, (kind, Execution::MaybeExecuted), "{status}");
    }
    assert!(answered(404, None).unwrap().is_answer());
    assert_eq!(answered(200, None), None);
}

#[test]
fn envoy_says_that_it_has_not_let_the_call_through() {
    for field in ["x-envoy-overloaded", "x-envoy-ratelimited"] {
        let class = answered(503, Some((field, "true"))).unwrap();
        assert_eq!((class.kind(), class.execution()), (Kind::Throttled, Execution::NotExecuted));
    }
}

#[test]
fn a_pushback_with_a_sign_is_malformed() {
    let hint = |value| answered(503, Some(("grpc-retry-pushback-ms", value))).unwrap().hint();
    assert_eq!(hint("+5"), Some(Hint::DoNotRetry));
    assert_eq!(hint("5"), Some(Hint::RetryAfter(std::time::Duration::from_millis(5))));
}
