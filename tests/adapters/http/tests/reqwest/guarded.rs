//! Annotated functions over real failures.

use std::sync::Arc;

use adapters_http::Cyclic;
use faults::{Script, h1};
use reqwest::{
    Client, StatusCode,
    dns::{Addrs, Name, Resolve, Resolving},
};
use stormless::{Retryable, StopReason, current, report, retry, testing::isolated};

use crate::{builder, client, start};

/// As users write it: the client's own errors are forwarded, and look-alikes told apart.
#[derive(Debug, thiserror::Error, Retryable)]
enum ApiError {
    #[error(transparent)]
    #[retryable(forward)]
    Transport(#[from] reqwest::Error),
    #[error("too fast")]
    #[retryable(throttled, status = status)]
    RateLimited { status: StatusCode },
    #[error("out of credit")]
    #[retryable(permanent, status = status)]
    OutOfCredit { status: StatusCode },
}

async fn post(client: &Client, url: &str) -> Result<(), ApiError> {
    let key = current().unwrap().idempotency_key().to_string();
    let response = client.post(url).header("idempotency-key", key).send().await?;
    let status = response.status();
    match response.text().await?.as_str() {
        "credit" => Err(ApiError::OutOfCredit { status }),
        _ if status == StatusCode::TOO_MANY_REQUESTS => Err(ApiError::RateLimited { status }),
        _ => Ok(()),
    }
}

#[retry(base = "1ms", budget = none)]
async fn careful(client: &Client, url: &str) -> Result<(), ApiError> {
    post(client, url).await
}

#[retry(base = "1ms", budget = none, idempotent)]
async fn repeatable(client: &Client, url: &str) -> Result<(), ApiError> {
    post(client, url).await
}

macro_rules! ran {
    ($call:ident, $client:expr, $url:expr) => {
        async {
            let (result, calls) = isolated(report($call(&$client, $url))).await;
            let call = &calls[0];
            let labels: Vec<_> = call.failures().iter().map(|failure| failure.label()).collect();
            (result, call.attempts(), call.reason(), labels)
        }
    };
}

// R130
#[tokio::test(start_paused = true)]
async fn what_may_have_been_executed_is_repeated_only_on_request() {
    let lost_once =
        || Script::connections([h1::read_then_close(), h1::answer_then_close(200, &[], "")]);
    let server = start(lost_once());
    let (result, attempts, reason, labels) = ran!(careful, client(), &server.url("/")).await;
    assert!(matches!(result, Err(ApiError::Transport(_))));
    assert_eq!((attempts, reason), (1, Some(StopReason::MaybeExecuted)));
    assert_eq!((labels, server.hits().requests), (vec!["incomplete_message"], 1));

    let server = start(lost_once());
    let (result, attempts, ..) = ran!(repeatable, client(), &server.url("/")).await;
    assert!(result.is_ok());
    let keys: Vec<_> = server.heads().iter().filter_map(|head| key(head)).collect();
    assert_eq!((attempts, keys.len()), (2, 2));
    assert_eq!(keys[0], keys[1]);
}

fn key(head: &str) -> Option<String> {
    head.lines().find_map(|line| line.strip_prefix("idempotency-key: ")).map(str::to_owned)
}

#[tokio::test(start_paused = true)]
async fn what_was_not_sent_is_repeated_without_being_asked() {
    let server = start(Script::refused());
    let (result, attempts, reason, labels) = ran!(careful, client(), &server.url("/")).await;
    assert!(matches!(result, Err(ApiError::Transport(error)) if error.is_connect()));
    assert_eq!((attempts, reason), (3, Some(StopReason::AttemptsExhausted)));
    assert_eq!(labels, ["connection_refused"; 3]);
}

// R132
#[tokio::test(start_paused = true)]
async fn look_alikes_differ_by_their_variant() {
    let said = |body| vec![h1::response(429, &[], body)];
    let server = start(Script::requests([said("slower"), said("slower"), said("credit")]));
    let (result, attempts, reason, labels) = ran!(careful, client(), &server.url("/")).await;
    assert!(matches!(result, Err(ApiError::OutOfCredit { .. })));
    assert_eq!((attempts, reason), (3, Some(StopReason::Permanent)));
    assert_eq!(labels.len(), 3);
    assert_eq!(server.hits().requests, 3);
}

struct Round;

impl Resolve for Round {
    fn resolve(&self, _: Name) -> Resolving {
        Box::pin(async { Err::<Addrs, _>(Cyclic.into()) })
    }
}

// R126
#[tokio::test(start_paused = true)]
async fn a_cause_that_causes_itself_ends_the_call() {
    let client = builder().dns_resolver(Arc::new(Round)).build().unwrap();
    let (result, attempts, reason, _) = ran!(repeatable, client, "http://nowhere.test/").await;
    // Not shown: those who print causes follow them for ever.
    assert!(matches!(result, Err(ApiError::Transport(_))));
    assert_eq!((attempts, reason), (1, Some(StopReason::Permanent)));
}
