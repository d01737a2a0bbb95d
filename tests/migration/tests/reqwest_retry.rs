//! What `docs/migration/reqwest-retry.md` says of both sides. A middleware answers in place of a server.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

use async_trait::async_trait;
use http::Extensions;
use migration::{Calls, Failure, ms};
use reqwest::{Client, Method, Request, Response};
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware, Error, Middleware, Next};
use reqwest_retry::{
    Jitter, RetryDecision, RetryError, RetryPolicy as _, RetryTransientMiddleware,
    policies::ExponentialBackoff,
};
use stormless::{Backoff, Policy, testing::isolated, tower::RetryLayer};
use tokio::time::Instant;

const OURS: Policy = Policy::new().backoff(Backoff::Fixed).base(ms(10)).attempts(3);

/// Answers every request with one status, and counts them.
#[derive(Clone)]
struct Server {
    status: u16,
    retry_after: Option<u32>,
    calls: Calls,
}

#[async_trait]
impl Middleware for Server {
    async fn handle(
        &self,
        _: Request,
        _: &mut Extensions,
        _: Next<'_>,
    ) -> reqwest_middleware::Result<Response> {
        let _ = self.calls.fail(Failure::Down);
        if self.status == 0 {
            return Err(Error::middleware(Failure::Down));
        }
        let mut response = http::Response::builder().status(self.status);
        if let Some(seconds) = self.retry_after {
            response = response.header("retry-after", seconds);
        }
        Ok(response.body("").unwrap().into())
    }
}

fn server(status: u16) -> Server {
    Server { status, retry_after: None, calls: Calls::default() }
}

fn theirs(server: &Server) -> ClientWithMiddleware {
    let policy = ExponentialBackoff::builder()
        .retry_bounds(ms(10), ms(10))
        .jitter(Jitter::None)
        .build_with_max_retries(2);
    ClientBuilder::new(Client::new())
        .with(RetryTransientMiddleware::new_with_policy(policy))
        .with(server.clone())
        .build()
}

fn ours(server: &Server) -> ClientWithMiddleware {
    ClientBuilder::new(Client::new())
        .with(RetryLayer::reqwest(OURS).named("migrated"))
        .with(server.clone())
        .build()
}

/// How many requests one call sends, there and here, with full budgets.
async fn requests(method: Method, status: u16) -> (u32, u32) {
    isolated(async {
        let (there, here) = (server(status), server(status));
        let _ = theirs(&there).request(method.clone(), "http://orders/7").send().await;
        let _ = ours(&here).request(method, "http://orders/7").send().await;
        (there.calls.count(), here.calls.count())
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn what_is_retried_by_method_and_status() {
    for status in [408, 429, 500, 502, 503, 504] {
        assert_eq!(requests(Method::GET, status).await, (3, 3), "GET {status}");
    }
    // What may have been carried out is not repeated here without being told that it may be.
    for status in [500, 502, 504] {
        assert_eq!(requests(Method::POST, status).await, (3, 1), "POST {status}");
    }
    for status in [408, 429, 503] {
        assert_eq!(requests(Method::POST, status).await, (3, 3), "POST {status}");
    }
    for status in [501, 505] {
        assert_eq!(requests(Method::GET, status).await, (3, 1), "GET {status}");
    }
    assert_eq!(requests(Method::GET, 425).await, (1, 3));
    for status in [200, 304, 400, 404, 409] {
        assert_eq!(requests(Method::GET, status).await, (1, 1), "GET {status}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_idempotency_key_makes_a_post_repeatable_here() {
    isolated(async {
        let server = server(500);
        let _ = ours(&server).post("http://orders").header("idempotency-key", "17").send().await;
        assert_eq!(server.calls.count(), 3);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn retry_after_is_not_heard_there_and_a_floor_here() {
    isolated(async {
        let busy = Server { retry_after: Some(3), ..server(429) };
        let begun = Instant::now();
        let _ = theirs(&busy).get("http://orders/7").send().await;
        assert_eq!(begun.elapsed(), ms(20));

        let begun = Instant::now();
        let _ = ours(&busy).get("http://orders/7").send().await;
        assert!(begun.elapsed() >= Duration::from_secs(6), "{:?}", begun.elapsed());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_last_response_comes_back_from_both() {
    isolated(async {
        let server = server(503);
        let there = theirs(&server).get("http://orders/7").send().await.unwrap();
        let here = ours(&server).get("http://orders/7").send().await.unwrap();
        assert_eq!((there.status().as_u16(), here.status().as_u16()), (503, 503));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn errors_are_wrapped_there_and_unchanged_here() {
    isolated(async {
        let server = server(0);
        let there = theirs(&server).get("http://orders/7").send().await.unwrap_err();
        let Error::Middleware(there) = there else { panic!("{there:?}") };
        assert!(matches!(there.downcast_ref(), Some(RetryError::Error(_))));

        let here = ours(&server).get("http://orders/7").send().await.unwrap_err();
        let Error::Middleware(here) = here else { panic!("{here:?}") };
        assert_eq!(here.downcast_ref(), Some(&Failure::Down));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_streaming_body_is_refused_there_and_sent_once_here() {
    isolated(async {
        let stream = || reqwest::Body::from(Response::from(http::Response::new("once")));
        let (there, here) = (server(503), server(503));
        let result = theirs(&there).put("http://orders/7").body(stream()).send().await;
        assert!(result.is_err());
        assert_eq!(there.calls.count(), 0);

        let result = ours(&here).put("http://orders/7").body(stream()).send().await;
        assert_eq!(result.unwrap().status().as_u16(), 503);
        assert_eq!(here.calls.count(), 1);
    })
    .await;
}

#[test]
fn the_default_delays_are_longer_there() {
    let theirs = ExponentialBackoff::builder().build_with_max_retries(2);
    let thirty_minutes = Duration::from_secs(30 * 60);
    assert_eq!(theirs.min_retry_interval, Duration::from_secs(1));
    assert_eq!((theirs.max_retry_interval, theirs.jitter), (thirty_minutes, Jitter::Full));
    assert_eq!(Policy::new().longest_delay(), Duration::from_secs(20));
}

/// Counts in the extensions, and keeps what it counted.
#[derive(Clone, Default)]
struct Counting(Arc<Mutex<Vec<u32>>>);

#[async_trait]
impl Middleware for Counting {
    async fn handle(
        &self,
        request: Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> reqwest_middleware::Result<Response> {
        let count = extensions.get::<u32>().map_or(1, |count| count + 1);
        extensions.insert(count);
        self.0.lock().unwrap().push(count);
        next.run(request, extensions).await
    }
}

#[tokio::test(start_paused = true)]
async fn extensions_are_shared_by_attempts_there_and_fresh_here() {
    isolated(async {
        let counted = Counting::default();
        let policy =
            ExponentialBackoff::builder().retry_bounds(ms(10), ms(10)).build_with_max_retries(2);
        let client = ClientBuilder::new(Client::new())
            .with(RetryTransientMiddleware::new_with_policy(policy))
            .with(counted.clone())
            .with(server(503))
            .build();
        let _ = client.get("http://orders/7").send().await;
        assert_eq!(*counted.0.lock().unwrap(), [1, 2, 3]);

        let counted = Counting::default();
        let client = ClientBuilder::new(Client::new())
            .with(RetryLayer::reqwest(OURS))
            .with(counted.clone())
            .with(server(503))
            .build();
        let _ = client.get("http://orders/7").send().await;
        assert_eq!(*counted.0.lock().unwrap(), [1, 1, 1]);
    })
    .await;
}

#[test]
fn a_total_duration_lets_the_last_sleep_run_past_it() {
    let policy = ExponentialBackoff::builder()
        .retry_bounds(Duration::from_secs(60), Duration::from_secs(60))
        .jitter(Jitter::None)
        .build_with_total_retry_duration(Duration::from_secs(10));
    let begun = SystemTime::now();
    let RetryDecision::Retry { execute_after } = policy.should_retry(begun, 0) else {
        panic!("no retry");
    };
    assert!(execute_after >= begun + Duration::from_secs(60));
}

#[tokio::test(start_paused = true)]
async fn a_deadline_does_not_begin_a_sleep_past_it() {
    isolated(async {
        let server = server(503);
        let policy = OURS.base(Duration::from_secs(60)).max(Duration::from_secs(60));
        let client = ClientBuilder::new(Client::new())
            .with(RetryLayer::reqwest(policy).deadline(Duration::from_secs(10)))
            .with(server.clone())
            .build();
        let begun = Instant::now();
        let response = client.get("http://orders/7").send().await.unwrap();
        assert_eq!((response.status().as_u16(), begun.elapsed()), (503, Duration::ZERO));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn two_middlewares_are_nine_requests_there_and_three_here() {
    isolated(async {
        let there = server(503);
        let policy =
            || ExponentialBackoff::builder().retry_bounds(ms(10), ms(10)).build_with_max_retries(2);
        let client = ClientBuilder::new(Client::new())
            .with(RetryTransientMiddleware::new_with_policy(policy()))
            .with(RetryTransientMiddleware::new_with_policy(policy()))
            .with(there.clone())
            .build();
        let _ = client.get("http://orders/7").send().await;
        assert_eq!(there.calls.count(), 9);

        let here = server(503);
        let client = ClientBuilder::new(Client::new())
            .with(RetryLayer::reqwest(OURS))
            .with(RetryLayer::reqwest(OURS))
            .with(here.clone())
            .build();
        let _ = client.get("http://orders/7").send().await;
        assert_eq!(here.calls.count(), 3);

        let mixed = server(503);
        let client = ClientBuilder::new(Client::new())
            .with(RetryLayer::reqwest(OURS))
            .with(RetryTransientMiddleware::new_with_policy(policy()))
            .with(mixed.clone())
            .build();
        let _ = client.get("http://orders/7").send().await;
        assert_eq!(mixed.calls.count(), 9, "theirs knows nothing of ours");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_outage_costs_two_retries_a_request_there_and_ten_in_all_here() {
    isolated(async {
        let (there, here) = (server(503), server(503));
        let (before, after) = (theirs(&there), ours(&here));
        for _ in 0..100 {
            let _ = before.get("http://orders/7").send().await;
            let _ = after.get("http://orders/7").send().await;
        }
        assert_eq!((there.calls.count(), here.calls.count()), (300, 110));
    })
    .await;
}
