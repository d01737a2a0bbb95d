//! Failures before anything is sent.

use std::{error::Error, io, sync::Arc, time::Duration};

use adapters_http::{Cyclic, Row, late, row, unsent};
use faults::{Script, Server};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use stormless::{Classification, Execution, Kind};

use crate::{builder, client, start};

async fn failure(client: reqwest::Client, url: &str) -> reqwest::Error {
    client.post(url).body("x").send().await.unwrap_err()
}

async fn of(server: &Server) -> reqwest::Error {
    failure(client(), &server.url("/")).await
}

#[tokio::test]
async fn a_refused_connection_is_transient() {
    let error = of(&start(Script::refused())).await;
    assert!(error.is_connect() && error.is_request());
    assert_eq!(row(&error), unsent("connection_refused"));
    assert_eq!(stormless::reqwest::classify(&error), Classification::transient());
}

#[tokio::test]
async fn a_name_that_does_not_resolve_is_transient() {
    let error = failure(client(), "http://nonexistent.invalid/").await;
    assert!(error.is_connect() && error.is_dns());
    assert_eq!(row(&error), unsent("dns"));
}

#[tokio::test]
async fn a_timeout_while_connecting_is_of_a_request_that_was_not_sent() {
    let server = start(Script::deaf());
    let client = builder().connect_timeout(Duration::from_millis(50)).build().unwrap();
    let error = failure(client, &server.url("/")).await;
    assert!(error.is_connect() && error.is_timeout());
    assert_eq!(row(&error), (Kind::Timeout, Execution::NotExecuted, "connect_timeout"));
}

#[tokio::test]
async fn a_total_timeout_tells_nothing_even_if_it_passed_while_connecting() {
    let server = start(Script::deaf());
    let client = builder().timeout(Duration::from_millis(50)).build().unwrap();
    let error = failure(client, &server.url("/")).await;
    assert!(error.is_timeout() && !error.is_connect());
    assert_eq!(row(&error), late("timeout"));
}

/// Fails as it is told.
struct Broken(fn() -> Box<dyn Error + Send + Sync>);

impl Resolve for Broken {
    fn resolve(&self, _: Name) -> Resolving {
        let failure = (self.0)();
        Box::pin(async { Err::<Addrs, _>(failure) })
    }
}

async fn resolving(failure: fn() -> Box<dyn Error + Send + Sync>) -> Row {
    let client = builder().dns_resolver(Arc::new(Broken(failure))).build().unwrap();
    row(&self::failure(client, "http://nowhere.test/").await)
}

// R126
#[tokio::test]
async fn a_cause_that_causes_itself_is_looked_at_for_a_while_and_is_permanent() {
    let (kind, _, label) = resolving(|| Box::new(Cyclic)).await;
    assert_eq!((kind, label), (Kind::Permanent, "_OTHER"));
    let (kind, _, label) = resolving(|| Box::new(io::Error::other(Cyclic))).await;
    assert_eq!((kind, label), (Kind::Permanent, "_OTHER"));
}

// R128
#[tokio::test]
async fn kinds_decide_and_texts_do_not() {
    assert_eq!(resolving(|| "connection reset by peer".into()).await, unsent("dns"));
    let misleading = || io::Error::new(io::ErrorKind::InvalidInput, "connection refused").into();
    let row = (Kind::Permanent, Execution::NotExecuted, "invalid_input");
    assert_eq!(resolving(misleading).await, row);
}

#[test]
fn what_is_not_a_request_is_permanent() {
    let error = client().get("no address").build().unwrap_err();
    assert!(error.is_builder());
    assert_eq!(row(&error), (Kind::Permanent, Execution::NotExecuted, "builder"));
}
