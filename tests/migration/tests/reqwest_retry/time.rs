//! How long is waited.

use std::time::{Duration, SystemTime};

use migration::ms;
use reqwest::Client;
use reqwest_middleware::ClientBuilder;
use reqwest_retry::{Jitter, RetryDecision, RetryPolicy as _, policies::ExponentialBackoff};
use stormless::{Policy, testing::isolated, tower::RetryLayer};
use tokio::time::Instant;

use crate::server::{OURS, Server, ours, server, theirs};

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

#[test]
fn the_default_delays_are_longer_there() {
    let theirs = ExponentialBackoff::builder().build_with_max_retries(2);
    let thirty_minutes = Duration::from_secs(30 * 60);
    assert_eq!(theirs.min_retry_interval, Duration::from_secs(1));
    assert_eq!((theirs.max_retry_interval, theirs.jitter), (thirty_minutes, Jitter::Full));
    assert_eq!(Policy::new().longest_delay(), Duration::from_secs(20));
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
