//! hyper-util's client behind the layer, against real servers.

use std::time::Duration;

use bytes::Bytes;
use faults::{Script, Server, h1};
use http::Request;
use http_body_util::Full;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use stormless::{
    Backoff, Policy, StopReason, report,
    testing::isolated,
    tower::{RetryLayer, classify},
};
use tower::{BoxError, Layer, ServiceBuilder, ServiceExt};

/// Next to no wait: these tests are in real time.
const POLICY: Policy =
    Policy::new().backoff(Backoff::Fixed).base(Duration::from_millis(1)).attempts(3);

fn client() -> Client<HttpConnector, Full<Bytes>> {
    stormless::hyper_util::unretried(&mut Client::builder(TokioExecutor::new())).build_http()
}

fn order(server: &Server, method: &str) -> Request<Full<Bytes>> {
    let request = Request::builder().method(method).uri(server.url("/orders/7"));
    request.body(Full::from("all of it")).unwrap()
}

#[tokio::test]
async fn a_request_is_sent_again_where_the_server_is_busy_or_the_connection_ends() {
    isolated(async {
        let busy = h1::answer_then_close(503, &[], "busy");
        let each = [busy, h1::close(), h1::answer_then_close(200, &[], "done")];
        let server = Server::start(Script::connections(each)).unwrap();
        let service = RetryLayer::http(POLICY).layer(client());
        let (answer, calls) = report(service.oneshot(order(&server, "PUT"))).await;
        assert_eq!((answer.unwrap().status().as_u16(), calls[0].attempts()), (200, 3));
        let heads = server.heads();
        assert!(heads[0].contains("content-length: 9"), "{}", heads[0]);
        assert!(heads.iter().all(|head| *head == heads[0]), "{heads:?}");
    })
    .await;
}

#[tokio::test]
async fn boxed_errors_of_a_stack_are_those_of_the_client() {
    isolated(async {
        let stack = || {
            ServiceBuilder::new()
                .layer(RetryLayer::http(POLICY).classify(classify))
                .timeout(Duration::from_secs(20))
                .service(client())
        };
        let refused = Server::start(Script::refused()).unwrap();
        let (answer, calls) = report(stack().oneshot(order(&refused, "POST"))).await;
        let error: BoxError = answer.unwrap_err();
        assert!(error.is::<hyper_util::client::legacy::Error>(), "{error}");
        // Nothing was sent, so that it is worth a repeat whatever the method.
        assert_eq!(
            (calls[0].attempts(), calls[0].reason()),
            (3, Some(StopReason::AttemptsExhausted))
        );

        let lost = Server::start(Script::connections([h1::read_then_close()])).unwrap();
        let (answer, calls) = report(stack().oneshot(order(&lost, "POST"))).await;
        assert!(answer.is_err());
        assert_eq!((calls[0].attempts(), calls[0].reason()), (1, Some(StopReason::MaybeExecuted)));
    })
    .await;
}
