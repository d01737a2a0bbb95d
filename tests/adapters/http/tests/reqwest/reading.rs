//! Failures after the head of the answer.

use std::time::Duration;

use adapters_http::{hopeless, late, lost, row};
use faults::{Script, Server, h1, h2};
use reqwest::{Client, Response};
use stormless::{Classification, Execution, Kind, Retryable};

use crate::{builder, client, client_h2, start};

async fn answered(client: &Client, script: Script) -> (Server, Response) {
    let server = start(script);
    let response = client.get(server.url("/")).send().await.unwrap();
    (server, response)
}

#[tokio::test]
async fn a_cut_body_is_lost_and_not_bad() {
    let chunked = "HTTP/1.1 200 Said\r\ntransfer-encoding: chunked\r\n\r\n7\r\n[1, 2, \r\n";
    let half_chunked = vec![h1::Step::Read, h1::write(chunked), h1::Step::Close];
    for (steps, label) in [
        (h1::half_body(), "unexpected_eof"),
        (half_chunked, "unexpected_eof"),
        (h1::reset_body(), "connection_reset"),
    ] {
        let (_server, response) = answered(&client(), Script::connections([steps])).await;
        let error = response.json::<Vec<u32>>().await.unwrap_err();
        assert!(error.is_decode(), "as a bad body is");
        assert_eq!(row(&error), lost(label));
    }
}

#[tokio::test]
async fn a_slow_body_is_late() {
    let patience = Duration::from_secs(60);
    let total = builder().timeout(patience).build().unwrap();
    let reading = builder().read_timeout(patience).build().unwrap();
    for client in [total, reading] {
        let (_server, response) = answered(&client, Script::connections([h1::slow_body()])).await;
        // From here on nothing happens, so that the clock goes straight to the timeout.
        tokio::time::pause();
        let error = response.bytes().await.unwrap_err();
        assert!(error.is_decode() && error.is_timeout());
        assert_eq!(row(&error), late("timeout"));
        tokio::time::resume();
    }
}

#[tokio::test]
async fn a_whole_body_that_is_not_what_was_expected_is_an_answer() {
    let page = vec![h1::response(200, &[], "<html>")];
    let (_server, response) = answered(&client(), Script::requests([page])).await;
    let error = response.json::<Vec<u32>>().await.unwrap_err();
    assert!(error.is_decode());
    assert_eq!(row(&error), (Kind::Permanent, Execution::Executed, "decode"));
    assert!(error.classify().is_answer());
}

#[tokio::test]
async fn a_stream_that_is_reset_after_its_head_may_have_been_executed_whatever_the_code_says() {
    let calm = (Kind::Throttled, Execution::MaybeExecuted, "h2_enhance_your_calm");
    for (code, expected) in [
        (h2::REFUSED_STREAM, lost("h2_refused_stream")),
        (h2::CANCEL, lost("h2_cancel")),
        (h2::INTERNAL_ERROR, lost("h2_internal_error")),
        (h2::ENHANCE_YOUR_CALM, calm),
    ] {
        let script = Script::streams([h2::reset_body(code)]);
        let (_server, response) = answered(&client_h2(), script).await;
        assert_eq!(row(&response.bytes().await.unwrap_err()), expected);
    }
}

#[tokio::test]
async fn a_status_made_into_an_error_has_lost_its_fields() {
    for (code, class) in [
        (404, Classification::permanent().executed()),
        (408, Classification::transient()),
        (429, Classification::throttled()),
        (500, Classification::transient().maybe_executed()),
        (503, Classification::throttled()),
        (504, Classification::timeout()),
    ] {
        let busy = vec![h1::response(code, &["retry-after: 3"], "")];
        let (_server, response) = answered(&client(), Script::requests([busy])).await;
        let told = stormless::reqwest::classify_response(&response).unwrap();
        assert_eq!(told, class.retry_after(Duration::from_secs(3)));
        let error = response.error_for_status().unwrap_err();
        assert_eq!((error.classify(), error.label()), (class, code.to_string().as_str()));
    }
}

#[tokio::test]
async fn an_upgrade_that_is_none_is_permanent() {
    let plain = vec![h1::response(200, &[], "")];
    let (_server, response) = answered(&client(), Script::requests([plain])).await;
    let error = response.upgrade().await.unwrap_err();
    assert!(error.is_upgrade());
    assert_eq!(row(&error), hopeless("upgrade"));
}
