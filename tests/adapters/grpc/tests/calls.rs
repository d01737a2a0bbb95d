//! What `#[retry]` makes of statuses, from a server whose answers are written by hand.

mod support;

use std::{error::Error, time::Duration};

use adapters_grpc::{ask, ask_again, ask_again_safely};
use faults::h2;
use stormless::{
    AttemptTimeout, Breaker, BreakerOpen, CallReport, Classification, DeadlineExceeded,
    FailedAttempt, Hint, Kind, Retryable, StopReason, breaker, deadline, report, retry,
    testing::isolated,
    tonic::{classify, classify_http, classify_result},
};
use support::{Tested, done, run, says, serve};
use tonic::{Code, Status, body::Body, transport::Channel};
use tower_service::Service;

fn code(result: Result<(), Status>) -> Code {
    result.map_or_else(|status| status.code(), |()| Code::Ok)
}

const PUSHBACK: &str = "grpc-retry-pushback-ms";

#[tokio::test(start_paused = true)]
async fn a_call_comes_back_when_the_server_asks_it_to_and_no_sooner() -> Tested {
    let busy = says(Code::ResourceExhausted, &[(PUSHBACK, "4000")]);
    let (server, channel) = serve([busy, done()])?;
    let (result, call) = run(ask_again(&channel)).await;
    assert_eq!((code(result), call.attempts(), server.hits().requests), (Code::Ok, 2, 2));
    let asked = Duration::from_secs(4);
    assert!((asked..=asked.mul_f64(1.25)).contains(&call.slept()), "{:?}", call.slept());
    Ok(())
}

#[tokio::test]
async fn a_server_that_wants_no_retry_gets_none() -> Tested {
    for refusal in ["-1", "soon", "", "99999999999"] {
        let away = says(Code::Unavailable, &[(PUSHBACK, refusal)]);
        let (server, channel) = serve([away, done()])?;
        let (result, call) = run(ask_again_safely(&channel)).await;
        assert_eq!((code(result), server.hits().requests), (Code::Unavailable, 1), "{refusal}");
        assert_eq!(call.reason(), Some(StopReason::ServerRefusedRetry), "{refusal}");
    }
    let twice = says(Code::Unavailable, &[(PUSHBACK, "1"), (PUSHBACK, "2")]);
    let (_server, channel) = serve([twice, done()])?;
    let (_, call) = run(ask_again_safely(&channel)).await;
    assert_eq!(call.reason(), Some(StopReason::ServerRefusedRetry));
    Ok(())
}

breaker! { static SHED: Breaker = Breaker::new("adapters.grpc.shed").consecutive(1); }

#[retry(base = "1ms", max = "1ms", breaker = SHED)]
async fn shed(channel: &Channel) -> Result<(), Status> {
    ask(channel).await
}

#[tokio::test]
async fn a_server_that_sheds_load_is_no_final_answer() -> Tested {
    let busy = says(Code::ResourceExhausted, &[(PUSHBACK, "-1")]);
    let (server, channel) = serve([busy, done()])?;
    let status = ask(&channel).await.unwrap_err();
    assert_eq!(status.classify(), Classification::throttled().do_not_retry());
    drop(server);

    let busy = says(Code::ResourceExhausted, &[(PUSHBACK, "-1")]);
    let (server, channel) = serve([busy, done()])?;
    let twice = async { (shed(&channel).await, shed(&channel).await) };
    let (_, calls) = isolated(report(twice)).await;
    let reasons: Vec<_> = calls.iter().filter_map(CallReport::reason).collect();
    assert_eq!(reasons, [StopReason::ServerRefusedRetry, StopReason::BreakerOpen]);
    assert_eq!(server.hits().requests, 1);
    Ok(())
}

#[tokio::test]
async fn a_quota_is_not_outlasted_unless_the_server_says_when() -> Tested {
    let (server, channel) = serve([says(Code::ResourceExhausted, &[]), done()])?;
    let (result, call) = run(ask_again_safely(&channel)).await;
    assert_eq!(
        (code(result), call.reason()),
        (Code::ResourceExhausted, Some(StopReason::Permanent))
    );
    assert_eq!(server.hits().requests, 1);

    let (server, channel) = serve([says(Code::ResourceExhausted, &[(PUSHBACK, "0")]), done()])?;
    let (result, call) = run(ask_again(&channel)).await;
    assert_eq!((code(result), call.attempts(), server.hits().requests), (Code::Ok, 2, 2));
    Ok(())
}

#[tokio::test]
async fn what_may_have_been_carried_out_is_repeated_only_where_that_is_harmless() -> Tested {
    let lost = [says(Code::Unavailable, &[]), h2::reset(h2::INTERNAL_ERROR), done()];
    let (server, channel) = serve(lost.clone())?;
    let (result, call) = run(ask_again(&channel)).await;
    assert_eq!((code(result), call.reason()), (Code::Unavailable, Some(StopReason::MaybeExecuted)));
    assert_eq!(server.hits().requests, 1);

    let (server, channel) = serve(lost)?;
    let (result, call) = run(ask_again_safely(&channel)).await;
    assert_eq!((code(result), call.attempts(), server.hits().requests), (Code::Ok, 3, 3));
    Ok(())
}

#[tokio::test]
async fn a_stream_that_was_refused_is_asked_for_again_by_everybody() -> Tested {
    let (server, channel) = serve([h2::reset(h2::REFUSED_STREAM), done()])?;
    let (result, call) = run(ask_again(&channel)).await;
    // The second stream is ours: tonic sends nothing again by itself.
    assert_eq!((code(result), call.attempts(), server.hits().requests), (Code::Ok, 2, 2));
    Ok(())
}

#[tokio::test]
async fn the_answer_of_a_proxy_counts_by_its_status() -> Tested {
    let page = |status| vec![h2::headers(status, &[("content-type", "text/html")], true)];
    for (status, kind) in [(503, Kind::Transient), (401, Kind::Permanent), (500, Kind::Permanent)] {
        let (_server, channel) = serve([page(status)])?;
        let refused = ask(&channel).await.unwrap_err();
        assert_eq!(refused.classify().kind(), kind, "{status}: {refused:?}");
    }
    Ok(())
}

breaker! { static SHUT: Breaker = Breaker::new("adapters.grpc.shut"); }

#[retry(attempt_timeout = "1s", idempotent, attempts = 2, base = "1ms", max = "1ms")]
async fn hurried(channel: &Channel) -> Result<(), Status> {
    ask(channel).await
}

#[retry(deadline = "1s", breaker = SHUT, attempts = 1)]
async fn limited(channel: &Channel) -> Result<(), Status> {
    ask(channel).await
}

#[retry(attempts = 2, idempotent, base = "1ms", max = "1ms")]
async fn around(channel: &Channel) -> Result<(), Status> {
    hurried(channel).await
}

#[tokio::test(start_paused = true)]
async fn limits_of_the_attribute_end_a_call_as_a_status() -> Tested {
    let (server, channel) = serve([h2::stall()])?;
    let (result, call) = run(hurried(&channel)).await;
    let status = result.unwrap_err();
    assert_eq!((status.code(), status.label()), (Code::DeadlineExceeded, "attempt_timeout"));
    assert_eq!((call.attempts(), call.reason()), (2, Some(StopReason::AttemptsExhausted)));

    let (result, call) = run(limited(&channel)).await;
    let status = result.unwrap_err();
    assert_eq!((status.code(), status.label()), (Code::DeadlineExceeded, "deadline_exceeded"));
    assert_eq!(call.reason(), Some(StopReason::DeadlineExceeded));

    let shut = async {
        SHUT.open();
        limited(&channel).await
    };
    let (result, call) = run(shut).await;
    let status = result.unwrap_err();
    assert_eq!((status.code(), status.label()), (Code::Unavailable, "breaker_open"));
    assert_eq!((call.attempts(), call.reason()), (0, Some(StopReason::BreakerOpen)));
    drop(server);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_cut_is_known_again_by_the_call_around_it() -> Tested {
    let (_server, channel) = serve([h2::stall()])?;
    let (result, call) = run(around(&channel)).await;
    assert_eq!(result.unwrap_err().code(), Code::DeadlineExceeded);
    let labels: Vec<_> = call.failures().iter().map(FailedAttempt::label).collect();
    assert_eq!((call.attempts(), labels), (2, vec!["attempt_timeout"; 2]));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_deadline_from_outside_ends_a_running_attempt_as_a_status() -> Tested {
    let (_server, channel) = serve([h2::stall()])?;
    let limit = Duration::from_secs(2);
    let (result, call) = run(deadline::within(limit, ask_again(&channel))).await;
    let status = result?.unwrap_err();
    assert_eq!((status.code(), status.label()), (Code::DeadlineExceeded, "deadline_exceeded"));
    assert_eq!(call.reason(), Some(StopReason::DeadlineExceeded));
    Ok(())
}

#[test]
fn every_cut_is_the_class_that_it_is_elsewhere() {
    for (status, cut) in [
        (Status::from(AttemptTimeout::new()), AttemptTimeout::new().classify()),
        (DeadlineExceeded::new().into(), DeadlineExceeded::new().classify()),
        (BreakerOpen::new(None).into(), BreakerOpen::new(None).classify()),
    ] {
        assert_eq!(status.classify(), cut, "{status:?}");
    }
}

/// A field of a message, of less than 128 bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let length = u8::try_from(bytes.len()).expect("short");
    [&[number << 3 | 2, length], bytes].concat()
}

#[test]
fn no_details_are_too_odd_to_be_read() {
    const MOST: [u8; 10] = [0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    const LEAST: [u8; 11] = [0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01];
    let name = field(1, b"type.googleapis.com/google.rpc.RetryInfo");
    let longest = Duration::from_secs(u64::MAX >> 1);
    for (seconds, hint) in [
        (&MOST[..], Some(Hint::RetryAfter(longest))),
        // Before now is at once.
        (&LEAST[..], None),
    ] {
        let info = field(2, &field(1, seconds));
        let details = field(3, &[&name[..], &info].concat());
        let status = Status::with_details(Code::ResourceExhausted, "", details.into());
        let class = status.classify();
        assert_eq!((class.kind(), class.hint()), (Kind::Throttled, hint));
    }
}

/// An error of one's own, with a status somewhere below it.
#[derive(Debug)]
struct Own(Option<Status>);

impl std::fmt::Display for Own {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("own")
    }
}

impl Error for Own {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.as_ref().map(|status| status as _)
    }
}

#[test]
fn a_status_is_found_below_another_error() {
    let wrapped = Own(Some(Status::aborted("")));
    assert_eq!(classify(&wrapped).kind(), Kind::Conflict);
    assert_eq!(
        classify_result::<(), _>(&Err(wrapped)).map(|class| class.kind()),
        Some(Kind::Conflict)
    );
    assert_eq!(classify(&Own(None)).kind(), Kind::Permanent);
    assert_eq!(classify_result::<(), _>(&Err(Own(None))), None);
    assert_eq!(classify_result(&Ok::<_, Own>(())), None);
}

#[tokio::test]
async fn a_service_around_the_channel_sees_what_the_head_says() -> Tested {
    let details = "bm90IGEgbWVzc2FnZQ";
    let answers = [
        says(Code::NotFound, &[]),
        says(Code::ResourceExhausted, &[("grpc-status-details-bin", details)]),
        says(Code::ResourceExhausted, &[("grpc-status-details-bin", "%%")]),
        says(Code::ResourceExhausted, &[(PUSHBACK, "7")]),
        vec![h2::headers(503, &[], true)],
        vec![h2::headers(503, &[(PUSHBACK, "-1")], true)],
        says(Code::Ok, &[]),
        done(),
        h2::reset(h2::REFUSED_STREAM),
    ];
    let (_server, mut channel) = serve(answers)?;
    let mut seen = Vec::new();
    for _ in 0..9 {
        std::future::poll_fn(|task| channel.poll_ready(task)).await?;
        let request = http::Request::post(adapters_grpc::METHOD).body(Body::empty())?;
        let class = classify_http(&channel.call(request).await);
        seen.push(class.map(|class| (class.kind(), class.hint())));
    }
    let later = Hint::RetryAfter(Duration::from_millis(7));
    let want = [
        Some((Kind::Permanent, None)),
        Some((Kind::Permanent, None)),
        Some((Kind::Permanent, None)),
        Some((Kind::Throttled, Some(later))),
        Some((Kind::Throttled, None)),
        Some((Kind::Throttled, Some(Hint::DoNotRetry))),
        None,
        None,
        Some((Kind::Transient, None)),
    ];
    assert_eq!(seen, want);
    Ok(())
}
