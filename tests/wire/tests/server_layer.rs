//! What the server's layer does about what requests say.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use axum::body::Body;
use http::{Request, Response, StatusCode};
use stormless::{deadline, retry, tower::ServerLayer, wire::Incoming};
use tokio::time::Instant;
use tower::{Layer, ServiceExt, service_fn};
use wire::CallError;

#[retry(attempts = 3, base = "1ms", budget = none)]
async fn call(calls: &AtomicU32) -> Result<(), CallError> {
    calls.fetch_add(1, Ordering::Relaxed);
    Err(CallError::Unavailable)
}

fn request(headers: &[(&str, &str)]) -> Request<Body> {
    let mut request = Request::new(Body::empty());
    for (name, value) in headers {
        let name = http::HeaderName::from_bytes(name.as_bytes()).unwrap();
        request.headers_mut().append(name, value.parse().unwrap());
    }
    request
}

/// How often the annotated function in the service is called.
async fn calls(layer: ServerLayer, headers: &[(&str, &str)]) -> u32 {
    let calls = Arc::new(AtomicU32::new(0));
    let service = service_fn(async |_: Request<Body>| {
        let _failed = call(&calls).await;
        Ok::<_, Infallible>(Response::new(Body::empty()))
    });
    layer.layer(service).oneshot(request(headers)).await.unwrap();
    calls.load(Ordering::Relaxed)
}

const RETRIES: (&str, &str) = ("stormless-attempt", "1;max=3");

#[tokio::test(start_paused = true)]
async fn what_a_request_says_counts_only_where_it_is_trusted() {
    let from_mesh = || ServerLayer::trusting(|request| request.headers.contains_key("x-from-mesh"));
    assert_eq!(calls(from_mesh(), &[RETRIES]).await, 3);
    assert_eq!(calls(from_mesh(), &[RETRIES, ("x-from-mesh", "")]).await, 1);
    assert_eq!(calls(ServerLayer::trusting(|_| false), &[RETRIES]).await, 3);
    assert_eq!(calls(ServerLayer::trusting_all(), &[RETRIES]).await, 1);
}

#[tokio::test(start_paused = true)]
async fn what_is_malformed_changes_nothing() {
    for value in ["", "x", "0;max=3", "1;max=0", "1;max=3;", "-1", "99999999999999999999"] {
        let all = ServerLayer::trusting_all();
        assert_eq!(calls(all, &[("stormless-attempt", value)]).await, 3, "{value:?}");
    }
    // Said twice, it is not said.
    assert_eq!(calls(ServerLayer::trusting_all(), &[RETRIES, RETRIES]).await, 3);
    let malformed = [("grpc-timeout", "soon"), ("x-envoy-attempt-count", "two")];
    assert_eq!(calls(ServerLayer::trusting_all(), &malformed).await, 3);
}

/// The time that a service has by the word of a request, where there is a deadline already.
async fn left(layer: ServerLayer, limit: u64, headers: &[(&str, &str)]) -> Option<Duration> {
    let service = service_fn(async |_: Request<Body>| {
        let mut response = Response::new(Body::empty());
        response.extensions_mut().insert(deadline::remaining());
        Ok::<_, Infallible>(response)
    });
    let answered = layer.layer(service).oneshot(request(headers));
    let response = deadline::within(Duration::from_millis(limit), answered).await.unwrap().unwrap();
    *response.extensions().get::<Option<Duration>>().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_caller_s_deadline_shortens_and_never_lengthens() {
    let millis = |time| Some(Duration::from_millis(time));
    let all = ServerLayer::trusting_all;
    assert_eq!(left(all(), 700, &[("stormless-attempt", "1;remaining=400")]).await, millis(400));
    assert_eq!(left(all(), 300, &[("stormless-attempt", "1;remaining=400")]).await, millis(300));
    assert_eq!(left(all(), 300, &[("grpc-timeout", "200m")]).await, millis(200));
    assert_eq!(left(all(), 300, &[("grpc-timeout", "1H")]).await, millis(300));
    let nobody = ServerLayer::trusting(|_| false);
    assert_eq!(left(nobody, 700, &[("stormless-attempt", "1;remaining=400")]).await, millis(700));
}

async fn hangs(layer: ServerLayer, headers: &[(&str, &str)]) -> Response<Body> {
    let service = service_fn(async |_: Request<Body>| {
        tokio::time::sleep(Duration::from_secs(5)).await;
        Ok::<_, Infallible>(Response::new(Body::empty()))
    });
    layer.layer(service).oneshot(request(headers)).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_service_ends_at_its_caller_s_deadline_unless_it_is_uncut() {
    let limit = ("stormless-attempt", "1;remaining=400");
    let began = Instant::now();
    let response = hangs(ServerLayer::trusting_all(), &[limit]).await;
    assert_eq!(response.status(), StatusCode::GATEWAY_TIMEOUT);
    assert_eq!(began.elapsed(), Duration::from_millis(400));

    let grpc = ("content-type", "application/grpc");
    let response = hangs(ServerLayer::trusting_all(), &[limit, grpc]).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["grpc-status"], "4");

    for layer in [ServerLayer::trusting_all().uncut(), ServerLayer::trusting(|_| false)] {
        let began = Instant::now();
        assert_eq!(hangs(layer, &[limit]).await.status(), StatusCode::OK);
        assert_eq!(began.elapsed(), Duration::from_secs(5));
    }
}

#[tokio::test(start_paused = true)]
async fn retries_of_callers_that_are_not_trusted_are_not_told_from_first_attempts() {
    let service =
        || service_fn(async |_: Request<Body>| Ok::<_, Infallible>(Response::new(Body::empty())));
    let busy = || ServerLayer::trusting_all().shed_retries_when(|| true);
    let second = [("stormless-attempt", "2;max=3")];
    let response = busy().layer(service()).oneshot(request(&second)).await.unwrap();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(response.headers()["stormless-do-not-retry"], "?1");
    let suspicious = ServerLayer::trusting(|_| false).shed_retries_when(|| true);
    for (layer, headers) in [
        (suspicious, &second),
        (busy(), &[RETRIES]),
        (ServerLayer::trusting_all().shed_retries_when(|| false), &second),
    ] {
        let response = layer.layer(service()).oneshot(request(headers)).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
    }
}

#[tokio::test(start_paused = true)]
async fn handlers_find_what_was_trusted_in_the_extensions() {
    let service = || {
        service_fn(async |request: Request<Body>| {
            let told = request.extensions().get::<Incoming>().and_then(Incoming::attempt);
            let mut response = Response::new(Body::empty());
            response.extensions_mut().insert(told);
            Ok::<_, Infallible>(response)
        })
    };
    for (layer, told) in
        [(ServerLayer::trusting_all(), Some(1)), (ServerLayer::trusting(|_| false), None)]
    {
        let response = layer.layer(service()).oneshot(request(&[RETRIES])).await.unwrap();
        assert_eq!(response.extensions().get::<Option<u32>>(), Some(&told));
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_that_comes_after_its_deadline_is_answered_without_its_handler() {
    let late = [("stormless-attempt", "1;max=3;remaining=0")];
    let grpc = [late[0], ("content-type", "application/grpc")];
    let began = Instant::now();
    for (layer, headers, status, called) in [
        (ServerLayer::trusting_all(), &late[..], StatusCode::GATEWAY_TIMEOUT, 0),
        (ServerLayer::trusting_all(), &[("grpc-timeout", "0m")], StatusCode::GATEWAY_TIMEOUT, 0),
        (ServerLayer::trusting_all(), &grpc, StatusCode::OK, 0),
        (ServerLayer::trusting_all().uncut(), &late, StatusCode::OK, 1),
        (ServerLayer::trusting(|_| false), &late, StatusCode::OK, 1),
    ] {
        let calls = Arc::new(AtomicU32::new(0));
        let service = service_fn(|_: Request<Body>| {
            calls.fetch_add(1, Ordering::Relaxed);
            std::future::ready(Ok::<_, Infallible>(Response::new(Body::empty())))
        });
        let response = layer.layer(service).oneshot(request(headers)).await.unwrap();
        assert_eq!((response.status(), calls.load(Ordering::Relaxed)), (status, called));
        let told = response.headers().get("grpc-status").map(http::HeaderValue::as_bytes);
        assert_eq!(told, (headers.len() == 2).then_some(&b"4"[..]));
    }
    assert_eq!(began.elapsed(), Duration::ZERO);
}
