use std::time::Duration;

use ::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use super::{classify_head, classify_head_with_base};
use crate::{Classification, Execution, Hint, Kind};

const DATE: (&str, &str) = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
/// The ninth of September 2001, 01:46:40, in seconds since 1970, and four seconds before it.
const BILLION: (&str, &str) = ("date", "Sun, 09 Sep 2001 01:46:36 GMT");

fn fields(fields: &[(&str, &str)]) -> HeaderMap {
    let field = |(name, value): &(&str, &str)| {
        let name = HeaderName::try_from(*name).unwrap();
        (name, HeaderValue::from_bytes(value.as_bytes()).unwrap())
    };
    let mut headers = HeaderMap::new();
    for (name, value) in fields.iter().map(field) {
        headers.append(name, value);
    }
    headers
}

fn class(code: u16, of: &[(&str, &str)]) -> Classification {
    classify_head(StatusCode::from_u16(code).unwrap(), &fields(of)).unwrap()
}

/// The wait that a 429 with these fields asks for, in milliseconds.
fn wait(of: &[(&str, &str)]) -> Option<u128> {
    match class(429, of).hint() {
        Some(Hint::RetryAfter(wait)) => Some(wait.as_millis()),
        None => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_no_failure_is_left_to_the_result() {
    let all = fields(&[("retry-after", "1"), ("stormless-do-not-retry", "?1")]);
    for code in 100..400 {
        let status = StatusCode::from_u16(code).unwrap();
        assert_eq!(classify_head(status, &all), None, "{code}");
        assert_eq!(classify_head_with_base(status, &all), None, "{code}");
    }
}

#[test]
fn without_fields_a_status_is_what_it_is() {
    for code in 400..=999 {
        assert_eq!(class(code, &[]), Classification::from_status(code), "{code}");
    }
}

#[test]
fn a_body_that_is_too_large_for_now_is_throttled() {
    assert!(class(413, &[]).is_answer());
    assert!(class(413, &[("retry-after", "soon")]).is_answer());
    assert!(class(413, &[("ratelimit", "\"a\";r=1;t=5")]).is_answer());
    let later = Classification::throttled().retry_after(Duration::from_secs(2));
    assert_eq!(class(413, &[("retry-after", "2")]), later);
    assert_eq!(class(413, &[("ratelimit", "\"a\";r=0;t=2")]), later);
}

#[test]
fn what_is_forbidden_for_want_of_a_limit_is_throttled() {
    let spent = ("x-ratelimit-remaining", "0");
    let later = Classification::throttled().retry_after(Duration::from_secs(4));
    assert_eq!(class(403, &[("retry-after", "4")]), later);
    assert_eq!(class(403, &[spent, ("x-ratelimit-reset", "1000000000"), BILLION]), later);
    assert_eq!(class(403, &[spent]), Classification::throttled());
    assert!(class(403, &[("x-ratelimit-remaining", "1")]).is_answer());
    assert!(class(403, &[("retry-after", "0")]).is_answer());
    for code in [401, 404, 422] {
        assert!(class(code, &[spent, ("retry-after", "4")]).is_answer(), "{code}");
    }
}

#[test]
fn conflicts_and_what_is_not_implemented_are_answers() {
    for code in [400, 401, 403, 404, 409, 410, 412, 422, 501, 505, 511] {
        assert!(class(code, &[]).is_answer(), "{code}");
    }
}

#[test]
fn envoy_says_that_nothing_was_carried_out() {
    for code in [500, 502, 503, 504] {
        let class = class(code, &[("x-envoy-overloaded", "true")]);
        assert_eq!((class.kind(), class.execution()), (Kind::Throttled, Execution::NotExecuted));
        assert_eq!(class.hint(), None);
    }
    assert!(class(404, &[("x-envoy-overloaded", "true")]).is_answer());
}

#[test]
fn envoys_rate_limits_are_not_tried_again_at_once() {
    let limited = ("x-envoy-ratelimited", "true");
    for code in [400, 420, 429, 503] {
        let second = Classification::throttled().retry_after(Duration::from_secs(1));
        assert_eq!(class(code, &[limited]), second, "{code}");
    }
    assert_eq!(wait(&[limited, ("retry-after", "0.2")]), Some(200));
    assert_eq!(wait(&[limited, ("ratelimit", "\"a\";r=0;t=9")]), Some(9000));
}

#[test]
fn the_outright_wait_comes_before_what_is_left_of_a_limit() {
    let limit = ("ratelimit", "\"a\";r=0;t=60");
    assert_eq!(wait(&[limit]), Some(60_000));
    assert_eq!(wait(&[limit, ("retry-after", "3")]), Some(3000));
    assert_eq!(wait(&[limit, ("retry-after", "-3")]), Some(60_000));
    assert_eq!(wait(&[limit, ("x-amz-retry-after", "250")]), Some(250));
    assert_eq!(wait(&[("retry-after", "3"), ("x-amz-retry-after", "2500")]), Some(3000));
    assert_eq!(wait(&[("retry-after", "2"), ("x-amz-retry-after", "2500")]), Some(2500));
    assert_eq!(wait(&[DATE, ("retry-after", "Sun, 06 Nov 1994 08:49:39 GMT")]), Some(2000));
}

#[test]
fn amazons_milliseconds_are_whole_numbers() {
    for (value, waited) in [
        ("0", None),
        ("1", Some(1)),
        (" 1500 ", Some(1500)),
        ("-1", None),
        ("1.5", None),
        ("", None),
        ("+5", None),
        ("99999999999999999999", Some(u128::from(u64::MAX))),
        ("1s", None),
        ("ü", None),
    ] {
        assert_eq!(wait(&[("x-amz-retry-after", value)]), waited, "{value}");
    }
    assert_eq!(wait(&[("x-amz-retry-after", "5"), ("x-amz-retry-after", "7")]), Some(7));
}

#[test]
fn a_limit_is_a_hint_only_where_nothing_is_left_of_it() {
    for (value, waited) in [
        ("\"default\";r=0;t=5", Some(5000)),
        ("\"default\";r=1;t=5", None),
        ("\"default\";r=0", None),
        ("\"default\";r=0;t=0", None),
        ("\"default\";t=5", None),
        ("\"default\";r=0;t=5;pk=:cHJl:", Some(5000)),
        ("\"burst\";r=0;t=5, \"daily\";r=9;t=36000", Some(5000)),
        ("\"burst\";r=0;t=5, \"daily\";r=0;t=3600", Some(3_600_000)),
        // Malformed, or of a form that these fields never had.
        ("default;r=0;t=5", None),
        ("\"default\";r=0;t=-5", None),
        ("\"default\";r=0;t=5.0", None),
        ("\"default\";r=0;t=\"5\"", None),
        ("\"default\";r=0.0;t=5", None),
        ("\"default\" r=0;t=5", None),
        ("\"default\";r=0;t=5,", None),
        ("\"default;r=0;t=5", None),
        ("limit=100, remaining=0, reset=5", None),
        ("", None),
    ] {
        assert_eq!(wait(&[("ratelimit", value)]), waited, "{value}");
    }
    let lines = [("ratelimit", "\"a\";r=0;t=5"), ("ratelimit", "\"b\";r=0;t=7")];
    assert_eq!(wait(&lines), Some(7000));
    assert_eq!(wait(&[lines[0], ("ratelimit", "\"b")]), None);
}

#[test]
fn older_fields_count_only_where_they_can_mean_one_thing() {
    let left = ("ratelimit-remaining", "0");
    assert_eq!(wait(&[left, ("ratelimit-reset", "7")]), Some(7000));
    assert_eq!(wait(&[left, ("ratelimit-reset", "1000000000"), BILLION]), None);
    assert_eq!(wait(&[("ratelimit-remaining", "1"), ("ratelimit-reset", "7")]), None);
    assert_eq!(wait(&[("ratelimit-reset", "7")]), None);
    assert_eq!(wait(&[left, left, ("ratelimit-reset", "7")]), None);

    let left = ("x-ratelimit-remaining", "0");
    assert_eq!(wait(&[left, ("x-ratelimit-reset", "1000000000"), BILLION]), Some(4000));
    for unclear in ["7", "60000", "999999999", "1000000000000", "1e9", "1000000000.5", "-1"] {
        assert_eq!(wait(&[left, ("x-ratelimit-reset", unclear), BILLION]), None, "{unclear}");
    }
    // Past, by the clock of the response and by ours.
    assert_eq!(wait(&[left, ("x-ratelimit-reset", "1000000000")]), None);
    assert_eq!(wait(&[("x-ratelimit-reset", "1000000000"), BILLION]), None);
}

#[test]
fn the_mark_forbids_what_everything_else_allows() {
    let asks = [("retry-after", "1"), ("x-envoy-ratelimited", "true")];
    for (value, refused) in [
        ("?1", true),
        (" ?1 ", true),
        ("?1;why=\"overload\"", true),
        ("?0", false),
        ("1", false),
        ("true", false),
        ("?1, ?1", true),
        ("?0, ?1", true),
        ("?0, ?0", false),
        ("?1,", false),
        ("(?1)", false),
        ("", false),
    ] {
        let class = class(503, &[asks[0], asks[1], ("stormless-do-not-retry", value)]);
        let hint =
            if refused { Hint::DoNotRetry } else { Hint::RetryAfter(Duration::from_secs(1)) };
        assert_eq!(class.hint(), Some(hint), "{value}");
    }
    let mark = "stormless-do-not-retry";
    for lines in [["?1", "?1"], ["?0", "?1"], ["?1", "?0"], ["?1", "maybe,"], ["ü", "?1"]] {
        let class = class(503, &[asks[0], (mark, lines[0]), (mark, lines[1])]);
        assert_eq!(class.hint(), Some(Hint::DoNotRetry), "{lines:?}");
    }
}

#[test]
fn pushback_of_grpc_is_none_of_http() {
    assert_eq!(class(503, &[("grpc-retry-pushback-ms", "-1")]), Classification::from_status(503));
}

#[test]
fn bases_come_with_the_status_that_the_fields_amount_to() {
    let base = |code: u16, of: &[(&str, &str)]| {
        let class = classify_head_with_base(StatusCode::from_u16(code).unwrap(), &fields(of));
        class.unwrap().base_override().map(|base| base.as_millis())
    };
    let alone = [429, 503, 504, 500, 404].map(|code| base(code, &[]));
    assert_eq!(alone, [Some(100), Some(500), Some(300), None, None]);
    assert_eq!(base(500, &[("x-envoy-overloaded", "true")]), Some(500));
    assert_eq!(base(503, &[("x-envoy-ratelimited", "true")]), Some(100));
    assert_eq!(base(413, &[("retry-after", "1")]), Some(100));
}
