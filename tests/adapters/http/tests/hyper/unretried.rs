//! What reaches the server of one request.

use adapters_http::{row, unsent};
use bytes::Bytes;
use faults::{Hits, Script, h1};
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::{self, Builder, Client};
use stormless::{hyper_util::unretried, report, retry, testing::isolated};

use crate::{builder, post, start};
use adapters_http::close_unnoticed;

/// A client whose only connection was closed by the server, after one answer, and which does not know it
/// yet; what becomes of its next request; and what has reached the server.
async fn on_a_closed_connection(builder: &Builder) -> (Result<(), legacy::Error>, Hits) {
    let again = vec![h1::Step::Read, h1::response(200, &[], "")];
    let first = h1::answer_then_close_later(200, &[], "");
    let server = start(Script::connections([first, again]));
    let client: Client<_, Full<Bytes>> = builder.build_http();
    let first = client.request(post(&server.url("/1"))).await.unwrap();
    first.collect().await.unwrap();
    close_unnoticed(&server).await;
    let second = client.request(post(&server.url("/2"))).await;
    (second.map(drop), server.hits())
}

#[tokio::test]
async fn what_was_not_written_is_written_to_another_connection_unless_that_is_switched_off() {
    let (second, hits) = on_a_closed_connection(&builder()).await;
    assert!(second.is_ok());
    assert_eq!((hits.connections, hits.requests), (2, 2));

    let (second, hits) = on_a_closed_connection(unretried(&mut builder())).await;
    assert_eq!((hits.connections, hits.requests), (1, 1));
    // Known not to have been executed, so that the attribute repeats it, and pays for it.
    assert_eq!(row(&second.unwrap_err()), unsent("canceled"));
}

#[tokio::test]
async fn what_was_written_is_not_sent_again_either_way() {
    for mut builder in [builder(), unretried(&mut builder()).clone()] {
        let server = start(Script::connections([h1::read_then_close()]));
        let client: Client<_, Full<Bytes>> = builder.set_host(true).build_http();
        assert!(client.request(post(&server.url("/"))).await.is_err());
        assert_eq!(server.hits().requests, 1);
    }
}

#[retry(base = "1ms", budget = none)]
async fn send(
    client: &Client<legacy::connect::HttpConnector, Full<Bytes>>,
    uri: &str,
) -> Result<(), legacy::Error> {
    client.request(post(uri)).await.map(drop)
}

#[tokio::test]
async fn attempts_are_what_reaches_the_server() {
    let server = start(Script::refused());
    let client = unretried(&mut builder()).build_http();
    let (result, calls) = isolated(report(send(&client, &server.url("/")))).await;
    assert!(result.unwrap_err().is_connect());
    assert_eq!(calls[0].attempts(), 3);
}
