//! A connection without a pool.

use std::time::Duration;

use adapters_http::{Failing, hopeless, late, lost, row, unsent};
use bytes::Bytes;
use faults::{Script, Server, h1, h2};
use http_body_util::BodyExt;
use hyper::{
    Request, Response,
    body::{Body, Incoming},
    client::conn::{http1, http2},
};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use stormless::{Classification, Execution, Kind};
use tokio::net::TcpStream;

use crate::{post, start};

async fn socket(server: &Server) -> TokioIo<TcpStream> {
    TokioIo::new(TcpStream::connect(server.addr()).await.unwrap())
}

async fn h1<B>(server: &Server, request: Request<B>) -> hyper::Result<Response<Incoming>>
where
    B: Body<Data = Bytes, Error: std::error::Error + Send + Sync> + Send + 'static,
{
    let (mut sender, connection) = http1::handshake(socket(server).await).await?;
    tokio::spawn(connection);
    sender.send_request(request).await
}

async fn failure(script: Script) -> hyper::Error {
    h1(&start(script), post("/")).await.unwrap_err()
}

async fn failure_h2(steps: Vec<h2::Step>) -> hyper::Error {
    let server = start(Script::streams([steps]));
    let (executor, socket) = (TokioExecutor::new(), socket(&server).await);
    let (mut sender, connection) = http2::handshake(executor, socket).await.unwrap();
    tokio::spawn(connection);
    match sender.send_request(post(&server.url("/"))).await {
        Err(error) => error,
        Ok(response) => response.collect().await.unwrap_err(),
    }
}

#[tokio::test]
async fn a_request_that_the_connection_never_saw_is_not_executed() {
    let server = start(Script::connections([h1::stall()]));
    let (mut sender, connection) = http1::handshake(socket(&server).await).await.unwrap();
    drop(connection);
    let error = sender.ready().await.unwrap_err();
    assert!(error.is_closed());
    assert_eq!(row(&error), unsent("closed"));
    let error = sender.send_request(post("/")).await.unwrap_err();
    assert!(error.is_canceled());
    assert_eq!(row(&error), unsent("canceled"));
    assert_eq!(stormless::hyper::classify(&error), Classification::transient());
}

#[tokio::test]
async fn a_connection_that_ends_without_an_answer_may_have_carried_the_request() {
    for (steps, label) in [
        (h1::read_then_close(), "incomplete_message"),
        (h1::half_head(), "incomplete_message"),
        (h1::reset(), "connection_reset"),
    ] {
        assert_eq!(row(&failure(Script::connections([steps])).await), lost(label));
    }
}

#[tokio::test]
async fn what_is_not_http_is_permanent() {
    assert_eq!(row(&failure(Script::connections([h1::garbage()])).await), hopeless("parse"));
}

#[tokio::test]
async fn a_body_of_ours_that_fails_is_our_own_fault() {
    let server = start(Script::connections([h1::stall()]));
    let request = Request::post("/").body(Failing).unwrap();
    assert_eq!(row(&h1(&server, request).await.unwrap_err()), hopeless("user"));
}

#[tokio::test]
async fn a_cut_body_is_lost() {
    for (steps, label) in
        [(h1::half_body(), "unexpected_eof"), (h1::reset_body(), "connection_reset")]
    {
        let server = start(Script::connections([steps]));
        let response = h1(&server, post("/")).await.unwrap();
        assert_eq!(row(&response.collect().await.unwrap_err()), lost(label));
    }
}

#[tokio::test]
async fn streams_are_judged_by_their_code_and_by_who_sent_it() {
    let calm = (Kind::Throttled, Execution::MaybeExecuted, "h2_enhance_your_calm");
    for (steps, expected) in [
        (h2::reset(h2::REFUSED_STREAM), unsent("h2_refused_stream")),
        (h2::go_away_before(h2::NO_ERROR), unsent("h2_no_error")),
        (h2::reset(h2::CANCEL), lost("h2_cancel")),
        (h2::reset(h2::INTERNAL_ERROR), lost("h2_internal_error")),
        (h2::reset(h2::ENHANCE_YOUR_CALM), calm),
        (h2::reset(h2::PROTOCOL_ERROR), hopeless("h2_protocol_error")),
        (h2::reset_body(h2::CANCEL), lost("h2_cancel")),
        (h2::close(), lost("broken_pipe")),
        // A stream that ends twice: this side notices, and says so to the other.
        (vec![h2::trailers(&[("a", "b")])], hopeless("h2_protocol_error")),
    ] {
        assert_eq!(row(&failure_h2(steps.clone()).await), expected, "{steps:?}");
    }
}

#[tokio::test]
async fn a_server_that_does_not_answer_pings_is_late() {
    let server = start(Script::connections([vec![h1::Step::Stall]]));
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder.timer(TokioTimer::new()).keep_alive_interval(Duration::from_secs(10));
    let (mut sender, connection) = builder.handshake(socket(&server).await).await.unwrap();
    let connection = tokio::spawn(connection);
    // From here on nothing happens, so that the clock goes straight to the timeout.
    tokio::time::pause();
    let error = sender.send_request(post(&server.url("/"))).await.unwrap_err();
    assert_eq!(row(&error), late("timeout"));
    assert_eq!(row(&connection.await.unwrap().unwrap_err()), late("timeout"));
}

#[tokio::test]
async fn a_response_is_judged_by_its_head() {
    let busy = vec![h1::response(503, &["retry-after: 2"], "busy"), h1::Step::Close];
    let server = start(Script::requests([busy]));
    let answered = h1(&server, post("/")).await;
    let asked = Classification::throttled().retry_after(Duration::from_secs(2));
    assert_eq!(stormless::http::classify_result(&answered), Some(asked));
    assert_eq!(stormless::http::classify_response(&answered.unwrap()), Some(asked));
    let paced = asked.base(Duration::from_millis(500));
    let answered = h1(&server, post("/")).await;
    assert_eq!(stormless::http::classify_result_with_base(&answered), Some(paced));
    let lost = failure(Script::connections([h1::reset()])).await;
    let lost: hyper::Result<Response<Incoming>> = Err(lost);
    assert_eq!(stormless::http::classify_result(&lost), None);
}
