//! What `docs/migration/tower-resilience.md` says of both sides.

use std::{
    future::ready,
    sync::{Arc, Mutex},
    time::Duration,
};

use migration::{Calls, Failure, ms};
use stormless::{
    Backoff, Budget, Policy, budget,
    testing::{self, Jitter, isolated},
    tower::RetryLayer,
};
use tokio::time::{Instant, timeout};
use tower::{Layer, Service, ServiceExt, service_fn};
use tower_resilience_retry::{
    ExponentialBackoff, ExponentialRandomBackoff, IntervalFunction, RetryBudgetBuilder,
    RetryLayer as TheirLayer,
};

const OURS: Policy = Policy::new().backoff(Backoff::Fixed).base(ms(100)).attempts(3);

budget! { static FIVE: Budget = Budget::new("migration.five").burst(5).ratio(0.1); }

type Theirs = TheirLayer<Request, u32, Failure>;

/// A request that counts its clones.
#[derive(Debug)]
struct Request(Calls);

impl Clone for Request {
    fn clone(&self) -> Self {
        let _ = self.0.fail(Failure::Down);
        Self(self.0.clone())
    }
}

fn request() -> Request {
    Request(Calls::default())
}

fn failing(
    calls: &Calls,
    failure: Failure,
) -> impl Service<Request, Response = u32, Error = Failure, Future: Send> + Clone + Send + 'static {
    let calls = calls.clone();
    service_fn(move |_: Request| ready(calls.fail(failure)))
}

#[tokio::test(start_paused = true)]
async fn the_defaults_sleep_without_jitter_there_and_with_it_here() {
    isolated(async {
        let begun = Instant::now();
        let calls = Calls::default();
        let layer: Theirs = TheirLayer::builder().build();
        let _ = layer.layer(failing(&calls, Failure::Down)).oneshot(request()).await;
        assert_eq!((calls.count(), begun.elapsed()), (3, ms(300)));

        testing::jitter(Jitter::Lowest);
        let (begun, calls) = (Instant::now(), Calls::default());
        let layer = RetryLayer::new(Policy::new());
        let _ = layer.layer(failing(&calls, Failure::Down)).oneshot(request()).await;
        assert_eq!(calls.count(), 3);
        assert!(begun.elapsed() <= ms(4), "{:?}", begun.elapsed());
    })
    .await;
}

#[test]
fn there_is_no_cap_by_default_there_and_one_of_20_s_here() {
    assert!(ExponentialBackoff::new(ms(100)).next_interval(30) > Duration::from_secs(100_000_000));
    assert_eq!(Policy::new().longest_delay(), Duration::from_secs(20));
}

#[test]
fn their_jitter_comes_after_the_cap() {
    let backoff = ExponentialRandomBackoff::new(ms(1_000), 0.5).unwrap().max_interval(ms(1_000));
    assert!((0..200).any(|_| backoff.next_interval(3) > ms(1_400)));

    let ours = Policy::new().attempts(201).base(ms(1_000)).max(ms(1_000));
    assert!(ours.delays().all(|delay| delay <= ms(1_000)));
}

#[tokio::test(start_paused = true)]
async fn every_attempt_clones_the_request_there_and_the_last_does_not_here() {
    isolated(async {
        let (calls, clones) = (Calls::default(), Calls::default());
        let layer: Theirs = TheirLayer::builder().build();
        let service = layer.layer(failing(&calls, Failure::Down));
        let _ = service.oneshot(Request(clones.clone())).await;
        assert_eq!((calls.count(), clones.count()), (3, 3));

        let (calls, clones) = (Calls::default(), Calls::default());
        let service = RetryLayer::new(OURS).layer(failing(&calls, Failure::Down));
        let _ = service.oneshot(Request(clones.clone())).await;
        assert_eq!((calls.count(), clones.count()), (3, 2));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_wait_keeps_the_token_there_and_gives_it_back_here() {
    isolated(async {
        let bucket = RetryBudgetBuilder::new()
            .token_bucket()
            .max_tokens(5)
            .tokens_per_second(0.0)
            .build()
            .unwrap();
        let layer: Theirs = TheirLayer::builder().budget(Arc::clone(&bucket)).build();
        let calls = Calls::default();
        let service = layer.layer(failing(&calls, Failure::Down));
        assert!(timeout(ms(10), service.oneshot(request())).await.is_err());
        assert_eq!((calls.count(), bucket.balance()), (1, 4));

        let calls = Calls::default();
        let service = RetryLayer::new(OURS).budget(&FIVE).layer(failing(&calls, Failure::Down));
        assert!(timeout(ms(10), service.oneshot(request())).await.is_err());
        assert_eq!(calls.count(), 1);
        let balance = FIVE.in_effect().balance();
        assert!((balance - 5.0).abs() < 1e-9, "{balance}");
    })
    .await;
}

#[test]
fn a_success_earns_a_whole_retry_there() {
    let bucket = RetryBudgetBuilder::new()
        .token_bucket()
        .max_tokens(5)
        .initial_tokens(0)
        .tokens_per_second(0.0)
        .build()
        .unwrap();
    assert!(!bucket.try_withdraw());
    bucket.deposit();
    assert!(bucket.try_withdraw());

    assert!((FIVE.bound().steady_share() - 0.1).abs() < 1e-9);
}

#[tokio::test(start_paused = true)]
async fn a_servers_wish_is_not_heard_there_and_a_floor_here() {
    isolated(async {
        let busy = Failure::Busy { wait: Duration::from_secs(3) };
        let (begun, calls) = (Instant::now(), Calls::default());
        let layer: Theirs = TheirLayer::builder().build();
        let _ = layer.layer(failing(&calls, busy)).oneshot(request()).await;
        assert_eq!(begun.elapsed(), ms(300));

        let (begun, calls) = (Instant::now(), Calls::default());
        let _ = RetryLayer::new(OURS).layer(failing(&calls, busy)).oneshot(request()).await;
        assert_eq!(calls.count(), 3);
        assert!(begun.elapsed() >= Duration::from_secs(6), "{:?}", begun.elapsed());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn every_error_is_retried_there_unless_told_and_final_ones_end_the_call_here() {
    isolated(async {
        let calls = Calls::default();
        let layer: Theirs = TheirLayer::builder().build();
        let _ = layer.layer(failing(&calls, Failure::Gone)).oneshot(request()).await;
        assert_eq!(calls.count(), 3);

        let calls = Calls::default();
        let layer: Theirs = TheirLayer::builder().retry_on(|error| *error != Failure::Gone).build();
        let _ = layer.layer(failing(&calls, Failure::Gone)).oneshot(request()).await;
        assert_eq!(calls.count(), 1);

        let calls = Calls::default();
        let service = RetryLayer::new(OURS).layer(failing(&calls, Failure::Gone));
        let _ = service.oneshot(request()).await;
        assert_eq!(calls.count(), 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn hooks_count_retries_from_zero_there_and_attempts_from_one_here() {
    isolated(async {
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&told);
        let layer: Theirs = TheirLayer::builder()
            .fixed_backoff(ms(100))
            .on_retry(move |number, delay| heard.lock().unwrap().push((number, delay)))
            .build();
        let _ = layer.layer(failing(&Calls::default(), Failure::Down)).oneshot(request()).await;
        assert_eq!(*told.lock().unwrap(), [(0, ms(100)), (1, ms(100))]);

        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&told);
        let layer =
            RetryLayer::new(OURS).on_retry(move |event: &stormless::RetryEvent<'_, Failure>| {
                heard.lock().unwrap().push((event.attempt(), event.delay()));
            });
        let _ = layer.layer(failing(&Calls::default(), Failure::Down)).oneshot(request()).await;
        assert_eq!(*told.lock().unwrap(), [(1, ms(100)), (2, ms(100))]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn three_layers_are_27_calls_there_and_3_here() {
    isolated(async {
        let calls = Calls::default();
        let theirs: Theirs = TheirLayer::builder().fixed_backoff(ms(1)).build();
        let service = theirs.layer(theirs.layer(theirs.layer(failing(&calls, Failure::Down))));
        let _ = service.oneshot(request()).await;
        assert_eq!(calls.count(), 27);

        let calls = Calls::default();
        let ours = RetryLayer::new(OURS);
        let service =
            ours.clone().layer(ours.clone().layer(ours.layer(failing(&calls, Failure::Down))));
        let _ = service.oneshot(request()).await;
        assert_eq!(calls.count(), 3);
    })
    .await;
}
