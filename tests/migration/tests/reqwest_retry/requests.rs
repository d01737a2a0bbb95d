//! How many requests are sent.

use migration::ms;
use reqwest::{Client, Method, Response};
use reqwest_middleware::ClientBuilder;
use reqwest_retry::{RetryTransientMiddleware, policies::ExponentialBackoff};
use stormless::{testing::isolated, tower::RetryLayer};

use crate::server::{OURS, ours, server, theirs};

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
    // Meant for another server, or too early: nobody has looked at the request.
    for status in [421, 425] {
        for method in [Method::GET, Method::POST] {
            assert_eq!(requests(method.clone(), status).await, (1, 3), "{method} {status}");
        }
    }
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
