//! hyper-util's client, which connects and keeps connections.

use std::{
    error::Error,
    future::{Ready, ready},
    io,
    task::{Context, Poll},
    time::Duration,
};

use adapters_http::{Cyclic, KINDS, Row, hopeless, lost, row, unsent};
use bytes::Bytes;
use faults::{Script, h1, h2};
use http_body_util::Full;
use hyper::Uri;
use hyper_util::{
    client::legacy::{
        self, Client,
        connect::{HttpConnector, dns::GaiResolver},
    },
    rt::TokioIo,
};
use stormless::{Classification, Execution, Kind};
use tokio::net::TcpStream;

use crate::{builder, post, start};

async fn failure(script: Script) -> legacy::Error {
    let server = start(script);
    let client: Client<_, Full<Bytes>> = builder().build_http();
    client.request(post(&server.url("/"))).await.unwrap_err()
}

/// Makes the failures of a connector.
trait Failure: Fn() -> Box<dyn Error + Send + Sync> + Clone + Send + Sync + Unpin + 'static {}

impl<F: Fn() -> Box<dyn Error + Send + Sync> + Clone + Send + Sync + Unpin + 'static> Failure
    for F
{
}

/// Connects to nothing.
#[derive(Clone)]
struct Broken<F>(F);

impl<F: Failure> tower_service::Service<Uri> for Broken<F> {
    type Response = TokioIo<TcpStream>;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Ready<Result<Self::Response, Self::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        ready(Err((self.0)()))
    }
}

async fn connecting(failure: impl Failure) -> Row {
    let client: Client<_, Full<Bytes>> = builder().build(Broken(failure));
    let error = client.request(post("http://nowhere.test/")).await.unwrap_err();
    assert!(error.is_connect());
    row(&error)
}

#[tokio::test]
async fn a_refused_connection_is_transient() {
    let error = failure(Script::refused()).await;
    assert_eq!(row(&error), unsent("connection_refused"));
    assert_eq!(stormless::hyper_util::classify(&error), Classification::transient());
}

#[tokio::test]
async fn a_name_that_does_not_resolve_is_transient() {
    let client: Client<_, Full<Bytes>> = builder().build_http();
    let error = client.request(post("http://nonexistent.invalid/")).await.unwrap_err();
    assert_eq!(row(&error), unsent("connect"));
}

#[tokio::test]
async fn a_timeout_while_connecting_is_of_a_request_that_was_not_sent() {
    let server = start(Script::deaf());
    let mut connector = HttpConnector::new_with_resolver(GaiResolver::new());
    connector.set_connect_timeout(Some(Duration::from_millis(50)));
    let client: Client<_, Full<Bytes>> = builder().build(connector);
    let error = client.request(post(&server.url("/"))).await.unwrap_err();
    assert_eq!(row(&error), (Kind::Timeout, Execution::NotExecuted, "connect_timeout"));
}

// R128
#[tokio::test]
async fn whatever_kept_it_from_connecting_nothing_was_sent() {
    for (kind, of_kind) in KINDS {
        let expected = match kind {
            io::ErrorKind::TimedOut => (Kind::Timeout, Execution::NotExecuted, "connect_timeout"),
            io::ErrorKind::NotFound => unsent("connect"),
            _ => (of_kind.0, Execution::NotExecuted, of_kind.2),
        };
        let failure = move || io::Error::new(kind, "it says so").into();
        assert_eq!(connecting(failure).await, expected, "{kind}");
    }
    assert_eq!(connecting(|| "connection reset by peer".into()).await, unsent("connect"));
    // As rustls says that a certificate does not hold, through hyper-rustls.
    let distrust = || {
        let refused = io::Error::new(io::ErrorKind::InvalidData, "invalid peer certificate");
        io::Error::other(refused).into()
    };
    let row = (Kind::Permanent, Execution::NotExecuted, "invalid_data");
    assert_eq!(connecting(distrust).await, row);
}

// R126
#[tokio::test]
async fn a_cause_that_causes_itself_is_looked_at_for_a_while_and_is_permanent() {
    let failures: [fn() -> Box<dyn Error + Send + Sync>; 2] =
        [|| Cyclic.into(), || io::Error::other(Cyclic).into()];
    for failure in failures {
        let (kind, _, label) = connecting(failure).await;
        assert_eq!((kind, label), (Kind::Permanent, "_OTHER"));
    }
}

#[tokio::test]
async fn what_fails_after_connecting_is_hypers() {
    for (steps, expected) in [
        (h1::read_then_close(), lost("incomplete_message")),
        (h1::reset(), lost("connection_reset")),
        (h1::garbage(), hopeless("parse")),
    ] {
        assert_eq!(row(&failure(Script::connections([steps])).await), expected);
    }
    for (steps, expected) in [
        (h2::reset(h2::REFUSED_STREAM), unsent("h2_refused_stream")),
        (h2::go_away_before(h2::NO_ERROR), unsent("h2_no_error")),
        (h2::reset(h2::CANCEL), lost("h2_cancel")),
    ] {
        let server = start(Script::streams([steps]));
        let client: Client<_, Full<Bytes>> = builder().http2_only(true).build_http();
        let error = client.request(post(&server.url("/"))).await.unwrap_err();
        // The client does not send such a stream again, unlike reqwest.
        assert_eq!((row(&error), server.hits().requests), (expected, 1));
    }
}

#[tokio::test]
async fn what_is_not_a_request_is_permanent() {
    let client: Client<_, Full<Bytes>> = builder().build_http();
    let error = client.request(post("/relative")).await.unwrap_err();
    assert_eq!(row(&error), (Kind::Permanent, Execution::NotExecuted, "misused"));
}
