use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use ::kube::core::response::{Status, StatusDetails};
use ::kube::{Api, Client, Config, Error};
use hyper::rt::ReadBufCursor;
use k8s_openapi::api::core::v1::ConfigMap;
use stormless::{DeadlineExceeded, Execution, Kind};

use super::{classify, cut, reason, set, unretried};
use crate::loopback::{Answer, Cyclic, Http, at_once, facts, refused, wait};

const MAP: &str =
    r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","resourceVersion":"1"}}"#;
const CONFLICT: &str = r#"{"kind":"Status","status":"Failure","reason":"Conflict","code":409}"#;

fn config(url: &str) -> Config {
    Config::new(url.parse().unwrap())
}

fn maps(config: Config) -> Api<ConfigMap> {
    Api::namespaced(Client::try_from(config).unwrap(), "default")
}

async fn failure(config: Config) -> Error {
    maps(config).get("a").await.unwrap_err()
}

fn status(reason: &str, code: u16) -> Error {
    Error::Api(Status::failure("", reason).with_code(code).boxed())
}

#[test]
fn a_status_is_classed_by_its_reason_and_then_by_its_code() {
    for (reason, code, kind, execution) in [
        (reason::TOO_MANY_REQUESTS, 429, Kind::Throttled, Execution::NotExecuted),
        (reason::SERVICE_UNAVAILABLE, 503, Kind::Throttled, Execution::NotExecuted),
        (reason::SERVER_TIMEOUT, 500, Kind::Timeout, Execution::MaybeExecuted),
        (reason::TIMEOUT, 504, Kind::Timeout, Execution::MaybeExecuted),
        (reason::INTERNAL_ERROR, 500, Kind::Transient, Execution::MaybeExecuted),
        (reason::CONFLICT, 409, Kind::Conflict, Execution::NotExecuted),
        (reason::ALREADY_EXISTS, 409, Kind::Permanent, Execution::Executed),
        (reason::EXPIRED, 410, Kind::Permanent, Execution::Executed),
        (reason::NOT_FOUND, 404, Kind::Permanent, Execution::Executed),
        (reason::FORBIDDEN, 403, Kind::Permanent, Execution::Executed),
        // What kube makes of an answer that is no `Status`.
        ("Failed to parse error data", 502, Kind::Transient, Execution::MaybeExecuted),
        ("Failed to parse error data", 409, Kind::Permanent, Execution::Executed),
    ] {
        assert_eq!(facts(classify(&status(reason, code))), (kind, execution), "{reason} {code}");
    }
}

#[test]
fn the_wait_that_the_server_asks_for_is_kept() {
    let details = StatusDetails { retry_after_seconds: 7, ..serde_json::from_str("{}").unwrap() };
    let status =
        Status::failure("", reason::TOO_MANY_REQUESTS).with_code(429).with_details(details);
    assert_eq!(wait(classify(&Error::Api(status.boxed()))), Some(7));
}

#[test]
fn what_never_left_this_process_is_permanent_and_a_cut_is_a_timeout() {
    assert_eq!(facts(classify(&Error::TlsRequired)), (Kind::Permanent, Execution::NotExecuted));
    assert_eq!(classify(&cut(DeadlineExceeded::default().into())).kind(), Kind::Timeout);
}

#[tokio::test]
async fn a_refused_connection_and_an_unknown_name_were_not_executed() {
    let refused = failure(unretried(config(&format!("http://{}", refused().await)))).await;
    assert_eq!(facts(classify(&refused)), (Kind::Transient, Execution::NotExecuted), "{refused:?}");
    let unknown = failure(unretried(config("http://nobody.invalid"))).await;
    assert_eq!(facts(classify(&unknown)), (Kind::Transient, Execution::NotExecuted), "{unknown:?}");
}

#[tokio::test]
async fn a_connection_lost_after_the_request_may_have_been_executed() {
    let server = Http::new(&[Answer::Close]).await;
    let error = failure(unretried(config(&server.url()))).await;
    assert_eq!(facts(classify(&error)), (Kind::Transient, Execution::MaybeExecuted), "{error:?}");
    assert_eq!(server.requests(), 1);

    let server = Http::new(&[Answer::Cut]).await;
    let error = failure(unretried(config(&server.url()))).await;
    assert_eq!(facts(classify(&error)), (Kind::Transient, Execution::MaybeExecuted), "{error:?}");
}

#[tokio::test]
async fn a_server_that_is_silent_is_a_timeout() {
    let server = Http::new(&[Answer::Silence]).await;
    let mut config = unretried(config(&server.url()));
    config.read_timeout = Some(Duration::from_millis(50));
    let error = failure(config).await;
    assert_eq!(facts(classify(&error)), (Kind::Timeout, Execution::MaybeExecuted), "{error:?}");
}

#[tokio::test]
async fn kube_repeats_a_503_unless_told_not_to() {
    let script = &[Answer::Text("503 Unavailable", "busy"), Answer::Text("200 OK", MAP)];
    let server = Http::new(script).await;
    maps(config(&server.url())).get("a").await.unwrap();
    assert_eq!(server.requests(), 2);

    let server = Http::new(script).await;
    let error = failure(unretried(config(&server.url()))).await;
    assert_eq!(facts(classify(&error)), (Kind::Throttled, Execution::NotExecuted));
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn a_conflict_is_answered_by_reading_again() {
    let server = Http::new(&[
        Answer::Text("200 OK", MAP),
        Answer::Text("409 Conflict", CONFLICT),
        Answer::Text("200 OK", MAP),
    ])
    .await;
    let maps = maps(unretried(config(&server.url())));
    at_once(set(&maps, "a", "colour", "red")).await.unwrap();
    assert_eq!(server.requests(), 4);
}

/// A connection that fails without end.
struct Endless;

impl hyper::rt::Read for Endless {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        _: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Poll::Ready(Err(io::Error::other(Cyclic)))
    }
}

impl hyper::rt::Write for Endless {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Err(io::Error::other(Cyclic)))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

// R126
#[tokio::test]
async fn a_cause_that_causes_itself_is_permanent() {
    let connected = hyper::client::conn::http1::handshake::<_, String>(Endless).await;
    let (_sender, connection) = connected.unwrap();
    let error = connection.await.unwrap_err();
    assert_eq!(classify(&Error::HyperError(error)).kind(), Kind::Permanent);
    assert_eq!(classify(&Error::Service(Cyclic.into())).kind(), Kind::Permanent);
}
