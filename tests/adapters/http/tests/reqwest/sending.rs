//! Failures between the request and the head of its answer.

use std::time::Duration;

use adapters_http::{Failing, hopeless, late, lost, row, unsent};
use faults::{Script, h1, h2};
use reqwest::{Body, Client};
use stormless::{Execution, Kind};

use crate::{builder, client, client_h2, start};

async fn failure(client: &Client, script: Script) -> reqwest::Error {
    let server = start(script);
    let error = client.post(server.url("/")).body("x").send().await.unwrap_err();
    assert!(!error.is_connect());
    error
}

#[tokio::test]
async fn a_connection_that_ends_without_an_answer_may_have_carried_the_request() {
    for steps in [h1::read_then_close(), h1::half_head()] {
        let error = failure(&client(), Script::connections([steps])).await;
        assert!(error.is_request());
        assert_eq!(row(&error), lost("incomplete_message"));
    }
}

#[tokio::test]
async fn one_that_ends_at_once_has_not_carried_it_if_that_is_seen_in_time() {
    let error = failure(&client(), Script::connections([h1::close()])).await;
    // Whether the end comes before or after the request was written is a race, and hyper tells.
    assert!([unsent("canceled"), lost("incomplete_message")].contains(&row(&error)));
}

#[tokio::test]
async fn so_may_one_that_is_reset() {
    let error = failure(&client(), Script::connections([h1::reset()])).await;
    assert_eq!(row(&error), lost("connection_reset"));
}

#[tokio::test]
async fn an_answer_that_does_not_come_is_late() {
    let patience = Duration::from_millis(50);
    let total = builder().timeout(patience).build().unwrap();
    let reading = builder().read_timeout(patience).build().unwrap();
    for client in [total, reading] {
        let error = failure(&client, Script::connections([h1::stall()])).await;
        assert!(error.is_timeout());
        assert_eq!(row(&error), late("timeout"));
    }
    let client = builder().http2_prior_knowledge().timeout(patience).build().unwrap();
    assert_eq!(row(&failure(&client, Script::streams([h2::stall()])).await), late("timeout"));
}

#[tokio::test]
async fn an_answer_that_is_not_http_will_not_be_the_next_time() {
    let error = failure(&client(), Script::connections([h1::garbage()])).await;
    assert_eq!(row(&error), hopeless("parse"));
}

#[tokio::test]
async fn streams_that_were_not_looked_at_are_not_executed() {
    let calm = (Kind::Throttled, Execution::NotExecuted, "h2_enhance_your_calm");
    for (steps, expected) in [
        (h2::reset(h2::REFUSED_STREAM), unsent("h2_refused_stream")),
        (h2::go_away_before(h2::NO_ERROR), unsent("h2_no_error")),
        (h2::go_away_before(h2::INTERNAL_ERROR), unsent("h2_internal_error")),
        (h2::go_away_before(h2::ENHANCE_YOUR_CALM), calm),
    ] {
        let error = failure(&client_h2(), Script::streams([steps])).await;
        assert_eq!(row(&error), expected);
    }
}

#[tokio::test]
async fn streams_that_ended_in_any_other_way_may_be() {
    let calm = (Kind::Throttled, Execution::MaybeExecuted, "h2_enhance_your_calm");
    for (steps, expected) in [
        (h2::reset(h2::CANCEL), lost("h2_cancel")),
        (h2::reset(h2::INTERNAL_ERROR), lost("h2_internal_error")),
        (h2::reset(h2::NO_ERROR), lost("h2_no_error")),
        (h2::reset(h2::ENHANCE_YOUR_CALM), calm),
        (h2::reset(h2::PROTOCOL_ERROR), hopeless("h2_protocol_error")),
        (h2::reset(0xd), hopeless("h2_http_1_1_required")),
        (h2::reset(0x99), hopeless("h2_unknown")),
        (h2::go_away_after(h2::NO_ERROR), lost("broken_pipe")),
        (h2::close(), lost("broken_pipe")),
    ] {
        let error = failure(&client_h2(), Script::streams([steps.clone()])).await;
        assert_eq!(row(&error), expected, "{steps:?}");
    }
}

#[tokio::test]
async fn a_body_of_ours_that_fails_is_our_own_fault() {
    let server = start(Script::connections([h1::stall()]));
    let sent = client().post(server.url("/")).body(Body::wrap(Failing)).send();
    assert_eq!(row(&sent.await.unwrap_err()), hopeless("user"));
}

#[tokio::test]
async fn so_may_those_whose_connection_was_reset() {
    let error = failure(&client_h2(), Script::streams([h2::abort()])).await;
    // By whether reading or writing notices first.
    assert!([lost("connection_reset"), lost("broken_pipe")].contains(&row(&error)));
}

#[tokio::test]
async fn redirects_without_an_end_are_permanent() {
    let moved = vec![h1::response(302, &["location: /"], "")];
    let error = failure(&client(), Script::requests([moved])).await;
    assert!(error.is_redirect());
    assert_eq!(row(&error), hopeless("redirect"));
}
