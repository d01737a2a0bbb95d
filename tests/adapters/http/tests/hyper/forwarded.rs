//! Errors of hyper-util's client inside errors of one's own.

use bytes::Bytes;
use faults::{Script, h1};
use http_body_util::Full;
use hyper_util::client::legacy::{self, Client, connect::HttpConnector};
use stormless::{FailedAttempt, Retryable, StopReason, report, retry, testing::isolated};

use crate::{builder, post, start};

#[derive(Debug, Retryable)]
enum SendError {
    #[retryable(forward)]
    Transport(legacy::Error),
    #[retryable(permanent)]
    Refused,
}

type Clients = Client<HttpConnector, Full<Bytes>>;

#[retry(base = "1ms", max = "2ms", budget = none)]
async fn send(client: &Clients, uri: &str) -> Result<(), SendError> {
    let response = client.request(post(uri)).await.map_err(SendError::Transport)?;
    if response.status().is_success() { Ok(()) } else { Err(SendError::Refused) }
}

#[tokio::test]
async fn a_call_acts_on_an_error_of_the_client_that_is_forwarded() {
    for (script, attempts, reason, label) in [
        (Script::refused(), 3, StopReason::AttemptsExhausted, "connection_refused"),
        (
            Script::connections([h1::read_then_close()]),
            1,
            StopReason::MaybeExecuted,
            "incomplete_message",
        ),
        (Script::connections([h1::garbage()]), 1, StopReason::Permanent, "parse"),
    ] {
        let server = start(script);
        let client: Clients = builder().build_http();
        let (result, calls) = isolated(report(send(&client, &server.url("/")))).await;
        let error = result.unwrap_err();
        let SendError::Transport(own) = &error else { panic!("{error:?}") };
        assert_eq!((error.classify(), error.label()), (own.classify(), label));
        assert_eq!((calls[0].attempts(), calls[0].reason()), (attempts, Some(reason)), "{label}");
        let labels: Vec<_> = calls[0].failures().iter().map(FailedAttempt::label).collect();
        assert_eq!(labels, vec![label; labels.len()]);
        assert!(!labels.is_empty());
    }
}

#[tokio::test]
async fn an_answer_that_refuses_is_not_forwarded() {
    let server = start(Script::requests([vec![h1::response(403, &[], "")]]));
    let client: Clients = builder().build_http();
    assert!(matches!(send(&client, &server.url("/")).await, Err(SendError::Refused)));
}
