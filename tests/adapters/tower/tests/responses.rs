//! Responses that are failures, and what becomes of them.

use std::{
    convert::Infallible,
    future::{Ready, poll_fn, ready},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use http::{Request, Response};
use stormless::{
    Backoff, Policy, StopReason, report,
    testing::{Jitter, isolated, jitter},
    tower::RetryLayer,
};
use tower::{Layer, Service, ServiceExt};

const POLICY: Policy =
    Policy::new().backoff(Backoff::Fixed).base(Duration::from_millis(10)).attempts(3);

/// A body that stands for the connection it comes from.
#[derive(Debug)]
struct Body(Arc<AtomicUsize>);

impl Body {
    fn new(open: &Arc<AtomicUsize>) -> Self {
        open.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(open))
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A server that is busy so many times.
#[derive(Clone, Debug)]
struct Server {
    busy: Arc<AtomicUsize>,
    open: Arc<AtomicUsize>,
    wait: Option<&'static str>,
}

impl Server {
    fn busy(times: usize) -> Self {
        Self { busy: Arc::new(AtomicUsize::new(times)), open: Arc::default(), wait: None }
    }

    fn open(&self) -> usize {
        self.open.load(Ordering::Relaxed)
    }
}

impl Service<Request<()>> for Server {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<()>) -> Self::Future {
        let less = |busy: usize| busy.checked_sub(1);
        let is_busy = self.busy.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok();
        let mut response = Response::builder().status(if is_busy { 503 } else { 200 });
        if let Some(wait) = self.wait.filter(|_| is_busy) {
            response = response.header("retry-after", wait);
        }
        ready(Ok(response.body(Body::new(&self.open)).unwrap()))
    }
}

#[tokio::test(start_paused = true)]
async fn a_response_that_is_a_failure_is_dropped_before_the_wait() {
    // R159
    isolated(async {
        let server = Server::busy(2);
        let service = RetryLayer::http(POLICY).layer(server.clone());
        let mut call = pin!(service.oneshot(Request::new(())));
        for _ in 0..2 {
            assert!(poll_fn(|task| Poll::Ready(call.as_mut().poll(task).is_pending())).await);
            assert_eq!(server.open(), 0, "while the call sleeps");
            tokio::time::advance(Duration::from_millis(10)).await;
        }
        let response = call.await.unwrap();
        assert_eq!((response.status().as_u16(), server.open()), (200, 1));
        drop(response);
        assert_eq!(server.open(), 0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_last_response_is_returned_as_it_came() {
    isolated(async {
        let server = Server { wait: Some("0"), ..Server::busy(3) };
        let service = RetryLayer::http(POLICY).layer(server.clone());
        let (response, calls) = report(service.oneshot(Request::new(()))).await;
        let response = response.unwrap();
        assert_eq!((response.status().as_u16(), server.open()), (503, 1));
        assert_eq!(response.headers()["retry-after"], "0");
        assert_eq!(calls[0].reason(), Some(StopReason::AttemptsExhausted));
        assert_eq!(calls[0].attempts(), 3);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_response_says_how_long_to_wait() {
    isolated(async {
        jitter(Jitter::Lowest);
        let begun = tokio::time::Instant::now();
        let server = Server { wait: Some("3"), ..Server::busy(1) };
        let response = RetryLayer::http(POLICY).layer(server).oneshot(Request::new(())).await;
        assert_eq!(response.unwrap().status().as_u16(), 200);
        assert_eq!(begun.elapsed(), Duration::from_secs(3));

        let server = Server { wait: Some("3600"), ..Server::busy(1) };
        let call = RetryLayer::http(POLICY).layer(server).oneshot(Request::new(()));
        let (response, calls) = report(call).await;
        assert_eq!(response.unwrap().status().as_u16(), 503);
        assert_eq!(calls[0].reason(), Some(StopReason::RetryAfterTooLong));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_response_is_a_success_where_nobody_says_otherwise() {
    isolated(async {
        let server = Server::busy(3);
        let (response, calls) =
            report(RetryLayer::new(POLICY).layer(server).oneshot(Request::new(()))).await;
        assert_eq!((response.unwrap().status().as_u16(), calls[0].attempts()), (503, 1));
    })
    .await;
}
