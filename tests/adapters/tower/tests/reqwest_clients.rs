//! reqwest's client behind the layer, and the layer as a middleware, against real servers.

use std::{
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use faults::{Script, Server, h1};
use http::Extensions;
use reqwest::{Body, Client, Request, Response};
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware, Error, Middleware, Next};
use stormless::{
    Backoff, CallReport, Execution, Kind, Policy, RetryError, Retryable, StopReason, report,
    testing::isolated, tower::RetryLayer,
};
use tower::{Layer, ServiceExt};

/// Next to no wait: these tests are in real time.
const POLICY: Policy =
    Policy::new().backoff(Backoff::Fixed).base(Duration::from_millis(1)).attempts(3);

fn server(each: impl IntoIterator<Item = Vec<h1::Step>>) -> Server {
    Server::start(Script::connections(each)).expect("there is a port on loopback")
}

fn says(status: u16) -> Vec<h1::Step> {
    h1::answer_then_close(status, &[], "the body")
}

fn decorated() -> ClientWithMiddleware {
    ClientBuilder::new(Client::new()).with(RetryLayer::reqwest(POLICY).named("decorated")).build()
}

/// A call, and what became of the one that the layer makes of it.
async fn observed<F: Future>(call: F) -> (F::Output, CallReport) {
    let (output, mut calls) = report(call).await;
    assert_eq!(calls.len(), 1);
    (output, calls.remove(0))
}

fn stream() -> Body {
    let chunks = [Ok::<_, io::Error>("some of it, "), Ok("and the rest")];
    Body::wrap_stream(futures_util::stream::iter(chunks))
}

#[tokio::test]
async fn a_client_behind_the_layer_sends_the_same_request_again() {
    // R163
    isolated(async {
        let server = server([says(503), says(503), says(200)]);
        let service = RetryLayer::reqwest(POLICY).layer(Client::new());
        let request = Client::new().post(server.url("/orders")).body("{\"quantity\":3}");
        let answer = service.oneshot(request.build().unwrap()).await.unwrap();
        assert_eq!(answer.status().as_u16(), 200);
        assert_eq!(answer.text().await.unwrap(), "the body");
        let heads = server.heads();
        assert_eq!(heads.len(), 3);
        assert!(heads[0].contains("content-length: 14"), "{}", heads[0]);
        assert!(heads.iter().all(|head| *head == heads[0]), "{heads:?}");
    })
    .await;
}

#[tokio::test]
async fn a_middleware_sends_the_same_request_again() {
    isolated(async {
        let server = server([says(503), h1::reset(), says(200)]);
        let call = decorated().put(server.url("/orders/7")).body("all of it").send();
        let (answer, call) = observed(call).await;
        assert_eq!(answer.unwrap().status().as_u16(), 200);
        assert_eq!((call.site(), call.attempts(), call.reason()), ("decorated", 3, None));
        let heads = server.heads();
        assert!(heads.iter().all(|head| *head == heads[0]), "{heads:?}");
        assert!(heads[0].contains("content-length: 9"), "{}", heads[0]);
    })
    .await;
}

#[tokio::test]
async fn the_method_says_whether_a_lost_answer_is_worth_a_repeat() {
    isolated(async {
        let server = server([h1::read_then_close()]);
        let client = decorated();
        let (answer, call) = observed(client.get(server.url("/")).send()).await;
        assert!(answer.is_err());
        assert_eq!((call.attempts(), call.reason()), (3, Some(StopReason::AttemptsExhausted)));
        let (answer, call) = observed(client.post(server.url("/")).send()).await;
        assert!(answer.is_err());
        assert_eq!((call.attempts(), call.reason()), (1, Some(StopReason::MaybeExecuted)));
        let keyed = client.post(server.url("/")).header("idempotency-key", "7").send();
        assert_eq!(observed(keyed).await.1.attempts(), 3);
    })
    .await;
}

#[tokio::test]
async fn a_body_that_is_a_stream_is_sent_once_and_whole() {
    isolated(async {
        let server = server([says(503)]);
        let call = decorated().put(server.url("/")).body(stream()).send();
        let (answer, call) = observed(call).await;
        assert_eq!(answer.unwrap().status().as_u16(), 503);
        assert_eq!((call.attempts(), call.reason()), (1, Some(StopReason::Unrepeatable)));
        assert!(server.heads()[0].contains("transfer-encoding: chunked"));

        let request = Client::new().put(server.url("/")).body(stream()).build().unwrap();
        let service = RetryLayer::reqwest(POLICY).explain().layer(Client::new());
        let (answer, call) = observed(service.oneshot(request)).await;
        assert_eq!(answer.unwrap().status().as_u16(), 503);
        assert_eq!(call.reason(), Some(StopReason::Unrepeatable));
        assert_eq!(server.heads().len(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_cut_is_an_error_of_a_middleware_that_is_classified_as_a_cut() {
    isolated(async {
        let server = server([h1::stall()]);
        let layer = RetryLayer::reqwest(POLICY).deadline(Duration::from_millis(50));
        let client = ClientBuilder::new(Client::new()).with(layer).build();
        let error = client.get(server.url("/")).send().await.unwrap_err();
        assert!(
            matches!(&error, Error::Middleware(cut) if cut.is::<stormless::DeadlineExceeded>())
        );
        assert_eq!((error.classify().kind(), error.label()), (Kind::Timeout, "deadline_exceeded"));

        // One that was inherited cuts as well.
        let call = decorated().get(server.url("/")).send();
        let within = stormless::deadline::within(Duration::from_millis(50), call).await;
        let error = within.expect("the call ended by itself").unwrap_err();
        assert_eq!(error.label(), "deadline_exceeded");
    })
    .await;
}

#[tokio::test]
async fn a_middleware_can_explain_itself() {
    isolated(async {
        let server = server([h1::read_then_close()]);
        let layer = RetryLayer::reqwest(POLICY).explain().attempt_timeout(Duration::from_secs(10));
        let client = ClientBuilder::new(Client::new()).with(layer).build();
        let error = client.get(server.url("/")).send().await.unwrap_err();
        // It still says what the failure was.
        assert_eq!(error.classify().kind(), Kind::Transient);
        let Error::Middleware(error) = error else { panic!("explained: {error}") };
        let explained: &RetryError<Error> = error.downcast_ref().expect("by the layer");
        assert_eq!((explained.attempts(), explained.reason()), (3, StopReason::AttemptsExhausted));
        assert!(explained.get_ref().is_some_and(|error| matches!(error, Error::Reqwest(_))));
    })
    .await;
}

/// Leaves its mark in the extensions, and tells which it found.
#[derive(Clone, Debug, Default)]
struct Marking(Arc<Mutex<Vec<Option<Mark>>>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark(u32);

#[async_trait]
impl Middleware for Marking {
    async fn handle(
        &self,
        request: Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> reqwest_middleware::Result<Response> {
        self.0.lock().unwrap().push(extensions.get().copied());
        let attempt = stormless::current().map_or(0, |attempt| attempt.number());
        extensions.insert(Mark(attempt));
        let result = next.run(request, extensions).await;
        self.0.lock().unwrap().push(extensions.get().copied());
        result
    }
}

#[tokio::test]
async fn each_attempt_has_the_extensions_of_the_request_and_leaves_the_last_ones() {
    isolated(async {
        let server = server([says(503), says(503), says(200)]);
        let marks = Marking::default();
        // The same one outside and inside.
        let client = ClientBuilder::new(Client::new())
            .with(marks.clone())
            .with(RetryLayer::reqwest(POLICY))
            .with(marks.clone())
            .build();
        client.get(server.url("/")).with_extension(Mark(9)).send().await.unwrap();
        let seen: Vec<u32> = marks.0.lock().unwrap().iter().map(|mark| mark.unwrap().0).collect();
        // Outside, three times inside, and outside again.
        assert_eq!(seen, [9, 0, 1, 0, 2, 0, 3, 3]);
    })
    .await;
}

/// Fails as it says, so many times.
struct Failing(Mutex<Vec<Error>>);

#[async_trait]
impl Middleware for Failing {
    async fn handle(
        &self,
        request: Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> reqwest_middleware::Result<Response> {
        let error = self.0.lock().unwrap().pop();
        match error {
            Some(error) => Err(error),
            None => next.run(request, extensions).await,
        }
    }
}

#[tokio::test]
async fn the_errors_of_other_middlewares_are_known_by_what_is_in_them() {
    isolated(async {
        let server = server([says(200)]);
        let refused = || io::Error::from(io::ErrorKind::ConnectionRefused);
        let client = |errors| {
            ClientBuilder::new(Client::new())
                .with(RetryLayer::reqwest(POLICY))
                .with(Failing(Mutex::new(errors)))
                .build()
        };
        let known = client(vec![Error::middleware(refused()), Error::middleware(refused())]);
        let (answer, call) = observed(known.get(server.url("/")).send()).await;
        assert_eq!((answer.unwrap().status().as_u16(), call.attempts()), (200, 3));

        let unknown = client(vec![Error::middleware(std::fmt::Error)]);
        let (answer, call) = observed(unknown.get(server.url("/")).send()).await;
        let class = answer.unwrap_err().classify();
        assert_eq!((class.kind(), class.execution()), (Kind::Permanent, Execution::MaybeExecuted));
        assert_eq!(call.reason(), Some(StopReason::Permanent));
    })
    .await;
}

#[tokio::test]
async fn a_middleware_hedges() {
    isolated(async {
        let server = server([h1::stall(), says(200)]);
        let layer = RetryLayer::reqwest(POLICY).hedge(Duration::from_millis(20));
        let client = ClientBuilder::new(Client::new()).with(layer).build();
        let (answer, call) = observed(client.get(server.url("/")).send()).await;
        assert_eq!((answer.unwrap().status().as_u16(), call.attempts()), (200, 2));
    })
    .await;
}

#[tokio::test]
async fn a_client_with_middlewares_is_a_service_behind_the_layer_too() {
    isolated(async {
        let server = server([says(503), says(200)]);
        let client = ClientBuilder::new(Client::new()).build();
        let service = RetryLayer::reqwest(POLICY).deadline(Duration::from_secs(20)).layer(client);
        let request = Client::new().get(server.url("/")).build().unwrap();
        assert_eq!(service.oneshot(request).await.unwrap().status().as_u16(), 200);
    })
    .await;
}
