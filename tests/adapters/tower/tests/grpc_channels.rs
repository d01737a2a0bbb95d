//! A channel of tonic's behind the layer, and what requests tell of the attempts that send them.

use std::time::Duration;

use adapters_tower::{Failure, Probe, Step};
use bytes::Bytes;
use faults::{Script, Server, h2};
use http::Request;
use http_body_util::{BodyExt, Full};
use stormless::{
    Backoff, Policy, StopReason, report,
    testing::isolated,
    tower::{InjectLayer, RetryLayer},
};
use tonic::{Status, body::Body, transport::Endpoint};
use tower::{Service, ServiceBuilder, ServiceExt};

/// Next to no wait: these tests are in real time.
const POLICY: Policy =
    Policy::new().backoff(Backoff::Fixed).base(Duration::from_millis(1)).attempts(3);

fn status(code: &str) -> Vec<h2::Step> {
    let kind = ("content-type", "application/grpc");
    vec![h2::headers(200, &[kind, ("grpc-status", code)], true)]
}

#[tokio::test]
async fn a_status_in_the_head_of_a_response_is_a_failure_of_the_attempt() {
    isolated(async {
        for (code, answers, requests, reason) in [
            // `UNAVAILABLE`, then `OK`.
            ("14", "0", 2, None),
            // `NOT_FOUND` is an answer.
            ("5", "5", 1, Some(StopReason::Permanent)),
        ] {
            let server = Server::start(Script::streams([status(code), status("0")])).unwrap();
            let channel = Endpoint::from_shared(server.url("")).unwrap().connect_lazy();
            let channel = ServiceBuilder::new()
                .filter_async(|request: Request<Body>| async {
                    let (head, body) = request.into_parts();
                    let message = body.collect().await?.to_bytes();
                    Ok::<_, Status>(Request::from_parts(head, Full::new(message)))
                })
                .layer(
                    RetryLayer::new(POLICY.idempotent())
                        .classify(stormless::tonic::classify)
                        .classify_result(stormless::tonic::classify_http),
                )
                .map_request(|request: Request<Full<Bytes>>| request.map(Body::new))
                .service(channel);
            let message = Full::from(&b"\0\0\0\0\x02\x08\x07"[..]);
            let request = Request::post("/orders.Orders/Get").body(Body::new(message)).unwrap();
            let (answer, calls) = report(channel.oneshot(request)).await;
            let answer = answer.unwrap();
            assert_eq!(answer.headers()["grpc-status"], answers);
            assert_eq!((server.hits().requests, calls[0].reason()), (requests, reason));
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_layer_inside_tells_the_callee_of_each_attempt() {
    isolated(async {
        let fails = || Step::Fails(Failure::Unavailable);
        let probe = Probe::new([fails(), fails(), Step::Gives(7)]);
        let mut client = ServiceBuilder::new()
            .layer(RetryLayer::new(POLICY))
            .layer(InjectLayer::new())
            .map_request(|request: Request<Bytes>| {
                request.headers()["stormless-attempt"].to_str().unwrap().to_owned()
            })
            .service(probe.clone());
        let request = Request::get("http://orders/7").body(Bytes::new()).unwrap();
        assert_eq!(client.ready().await.unwrap().call(request).await, Ok(7));
        let sent: Vec<String> = probe.calls().into_iter().map(|call| call.request).collect();
        assert_eq!(sent, ["1;max=3", "2;max=3", "3;max=3"]);
    })
    .await;
}
