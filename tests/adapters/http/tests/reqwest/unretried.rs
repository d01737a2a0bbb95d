//! What reaches the server of one request.

use adapters_http::close_unnoticed;
use faults::{Script, h1, h2};
use reqwest::{Client, ClientBuilder};
use stormless::reqwest::unretried;

use crate::start;

/// The streams that a server sees of one request, if it treats all of them so.
async fn streams(builder: ClientBuilder, steps: Vec<h2::Step>) -> usize {
    let server = start(Script::streams([steps]));
    let client = builder.no_proxy().http2_prior_knowledge().build().unwrap();
    assert!(client.post(server.url("/")).body("x").send().await.is_err());
    server.hits().requests
}

#[tokio::test]
async fn a_refused_stream_is_sent_three_times_unless_that_is_switched_off() {
    for steps in [h2::reset(h2::REFUSED_STREAM), h2::go_away_before(h2::NO_ERROR)] {
        assert_eq!(streams(Client::builder(), steps.clone()).await, 3);
        assert_eq!(streams(unretried(Client::builder()), steps).await, 1);
    }
}

#[tokio::test]
async fn whatever_else_happens_is_sent_once_either_way() {
    for steps in [h2::reset(h2::CANCEL), h2::reset(h2::INTERNAL_ERROR), h2::close(), h2::abort()] {
        assert_eq!(streams(Client::builder(), steps.clone()).await, 1);
        assert_eq!(streams(unretried(Client::builder()), steps).await, 1);
    }
    let server = start(Script::connections([h1::read_then_close()]));
    let client = Client::builder().no_proxy().build().unwrap();
    assert!(client.get(server.url("/")).send().await.is_err());
    assert_eq!(server.hits().requests, 1);
}

/// The pool below reqwest is hyper-util's, with its retry of what was never written, which nothing switches
/// off; the server sees one request all the same.
#[tokio::test]
async fn a_request_that_found_its_connection_closed_reaches_the_server_once() {
    let first = h1::answer_then_close_later(200, &[], "");
    let again = vec![h1::Step::Read, h1::response(200, &[], "")];
    let server = start(Script::connections([first, again]));
    let client = unretried(Client::builder()).no_proxy().build().unwrap();
    let response = client.get(server.url("/1")).send().await.unwrap();
    response.bytes().await.unwrap();
    close_unnoticed(&server).await;
    client.post(server.url("/2")).body("x").send().await.unwrap();
    assert_eq!((server.hits().connections, server.hits().requests), (2, 2));
}
