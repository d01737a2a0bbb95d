//! Layers inside annotated functions, these inside layers, and layers inside each other: whoever is outermost
//! retries.

use std::{
    cell::Cell,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use adapters_tower::{Failure, Probe, Step};
use stormless::{
    Backoff, Budget, Outcome, Policy, StopReason, budget, budgets, current, report, retry, sites,
    testing::isolated, tower::RetryLayer,
};
use tower::{Layer, Service, ServiceExt, service_fn};

use Step::{Fails, Gives, Hangs};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

const POLICY: Policy = Policy::new().backoff(Backoff::Fixed).base(ms(10)).attempts(3);
const T: Step = Fails(Failure::Unavailable);

budget! { static STORE: Budget = Budget::new("layered-store").burst(10).ratio(0.1); }

#[retry(attempts = 3, backoff = "fixed", base = "10ms", budget = none, name = "annotated")]
async fn annotated(probe: &Probe<&'static str>) -> Result<u32, Failure> {
    RetryLayer::new(POLICY).named("layered").budget(&STORE).layer(probe.clone()).oneshot("a").await
}

// R117
#[tokio::test(start_paused = true)]
async fn a_layer_inside_an_annotated_function_calls_once_for_each_attempt() {
    isolated(async {
        let probe = Probe::new([T, T, T]);
        let (result, calls) = report(annotated(&probe)).await;
        assert_eq!((result, probe.attempts()), (Err(Failure::Unavailable), vec![1, 1, 1]));
        let nested = calls.iter().filter(|call| call.reason() == Some(StopReason::Nested)).count();
        assert_eq!((calls.len(), nested), (4, 3));
        // The budget of the layer pays for what reaches its service, whoever repeats.
        assert_eq!(budgets().get("layered-store").unwrap().budget().stats().withdrawn, 2);
    })
    .await;
}

static INNER: AtomicUsize = AtomicUsize::new(0);

#[retry(attempts = 3, backoff = "none", budget = none, name = "inside")]
async fn inside(_request: &'static str) -> Result<u32, Failure> {
    assert_eq!(current().map(|attempt| attempt.number()), Some(1));
    INNER.fetch_add(1, Ordering::Relaxed);
    Err(Failure::Unavailable)
}

// R117
#[tokio::test(start_paused = true)]
async fn an_annotated_function_inside_a_service_runs_once_for_each_attempt_of_the_layer() {
    isolated(async {
        let service = RetryLayer::new(POLICY).named("around").layer(service_fn(inside));
        let (result, calls) = report(service.oneshot("a")).await;
        assert_eq!((result, INNER.load(Ordering::Relaxed)), (Err(Failure::Unavailable), 3));
        let around = calls.iter().find(|call| call.site() == "around").unwrap();
        assert_eq!(around.reason(), Some(StopReason::AttemptsExhausted));
    })
    .await;
}

// R117
#[tokio::test(start_paused = true)]
async fn layers_inside_each_other_do_not_multiply() {
    isolated(async {
        let probe = Probe::new([T, T, T]);
        let layer = RetryLayer::new(POLICY);
        let service = layer.layer(layer.layer(layer.layer(probe.clone())));
        assert_eq!(service.oneshot("a").await, Err(Failure::Unavailable));
        assert_eq!(probe.attempts().len(), 3);
    })
    .await;
}

// R119
#[tokio::test(start_paused = true)]
async fn what_a_layer_inside_knew_does_not_leak_out() {
    isolated(async {
        let probe = Probe::new([const { Fails(Failure::Refused) }; 3]);
        let inner = RetryLayer::new(POLICY).named("hopeless").layer(probe.clone());
        let mapping = inner.map_err(|_| Failure::Unavailable);
        let service = RetryLayer::new(POLICY).named("mapping").layer(mapping);
        let (result, calls) = report(service.oneshot("a")).await;
        assert_eq!((result, probe.attempts()), (Err(Failure::Unavailable), vec![1, 1, 1]));
        let reasons = |site: &str| -> Vec<_> {
            let of_site = calls.iter().filter(|call| call.site() == site);
            of_site.map(|call| call.reason().expect("it failed")).collect()
        };
        assert_eq!(reasons("hopeless"), [StopReason::Permanent; 3]);
        assert_eq!(reasons("mapping"), [StopReason::AttemptsExhausted]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_inherited_deadline_ends_an_attempt_of_the_layer() {
    isolated(async {
        let service = RetryLayer::new(POLICY).layer(Probe::new([T, Hangs]));
        let within = stormless::deadline::within(ms(50), service.oneshot("a"));
        assert_eq!(within.await, Ok(Err(Failure::Late)));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn calls_of_a_layer_are_one_site_by_name_or_by_where_it_stands() {
    isolated(async {
        let layer = RetryLayer::new(POLICY);
        let here = format!("{}:{}", file!(), line!() - 1);
        for _ in 0..2 {
            assert_eq!(layer.layer(Probe::new([T, Gives(7)])).oneshot("a").await, Ok(7));
        }
        assert_eq!(sites().get(&here).expect("its own row").retries(), 2);

        let named = || RetryLayer::new(POLICY).named("by name");
        for _ in 0..2 {
            assert_eq!(named().layer(Probe::new([T, Gives(7)])).oneshot("a").await, Ok(7));
        }
        assert_eq!(sites().get("by name").expect("its own row").retries(), 2);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_was_paid_for_and_did_not_start_is_given_back() {
    isolated(async {
        let layer = RetryLayer::new(POLICY).named("given back").budget(&STORE);
        let balance = || STORE.balance();
        let full = balance();
        let service = layer.layer(Probe::new([T, T, T]));
        // Asleep before the second attempt.
        assert!(tokio::time::timeout(ms(5), service.oneshot("a")).await.is_err());
        assert!((balance() - full).abs() < 1e-9);
        // In the second attempt: it was spent.
        let service = layer.layer(Probe::new([T, Hangs]));
        assert!(tokio::time::timeout(ms(15), service.oneshot("a")).await.is_err());
        assert!((balance() - full + 1.0).abs() < 1e-9);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_call_begins_when_its_future_is_polled_and_not_before() {
    isolated(async {
        let mut service = RetryLayer::new(POLICY).deadline(ms(50)).layer(Probe::new([T, Gives(7)]));
        let call = service.ready().await.unwrap().call("a");
        tokio::time::advance(ms(100)).await;
        let (result, calls) = report(call).await;
        assert_eq!((result, calls[0].outcome()), (Ok(7), Outcome::Succeeded));

        // One that is never polled is none.
        let ((), calls) = report(async {
            let mut service = RetryLayer::new(POLICY).layer(Probe::new([Gives(7)]));
            drop(service.ready().await.unwrap().call("a"));
        })
        .await;
        assert_eq!(calls.len(), 0);
    })
    .await;
}

thread_local! { static ASKED: Cell<u32> = const { Cell::new(0) }; }

#[tokio::test(start_paused = true)]
async fn hedges_race_through_the_layer() {
    isolated(async {
        let policy = POLICY.idempotent();
        let probe = Probe::new([Hangs, Gives(8)]);
        let service = RetryLayer::new(policy).hedge(ms(20)).layer(probe.clone());
        assert_eq!(service.oneshot("a").await, Ok(8));
        assert_eq!((probe.times(), probe.attempts()), (vec![ms(0), ms(20)], vec![1, 2]));
        assert_eq!((probe.checks(), probe.reserved()), (2, 0));

        // What cannot be cloned has nothing beside it.
        let probe = Probe::new([Step::Takes(ms(100), 7)]);
        let once = |_: &&'static str| {
            ASKED.set(ASKED.get() + 1);
            None
        };
        let layer = RetryLayer::new(policy).clone_with(once).hedge(ms(20)).hedge_max(2);
        assert_eq!(layer.layer(probe.clone()).oneshot("a").await, Ok(7));
        assert_eq!((probe.attempts(), ASKED.get()), (vec![1], 1));
    })
    .await;
}

static ALONE: AtomicUsize = AtomicUsize::new(0);
static SEEN: AtomicUsize = AtomicUsize::new(0);

#[retry(attempts = 3, backoff = "none", budget = none, name = "below-one-that-is-sent-once")]
async fn below(_request: &'static str) -> Result<u32, Failure> {
    ALONE.fetch_add(1, Ordering::Relaxed);
    Err(Failure::Unavailable)
}

#[tokio::test(start_paused = true)]
async fn what_is_inside_a_request_that_is_sent_once_retries_by_itself() {
    isolated(async {
        let service = service_fn(|request| {
            let most = current().and_then(|attempt| attempt.max()).unwrap_or(0);
            SEEN.store(most as usize, Ordering::Relaxed);
            below(request)
        });
        let once = RetryLayer::new(POLICY).named("once").clone_with(|_| None).layer(service);
        let (result, calls) = report(once.oneshot("a")).await;
        assert_eq!((result, ALONE.load(Ordering::Relaxed)), (Err(Failure::Unavailable), 3));
        // And nobody further below is told of attempts that will not be.
        assert_eq!(SEEN.load(Ordering::Relaxed), 1);
        let once = calls.iter().find(|call| call.site() == "once").unwrap();
        assert_eq!(once.reason(), Some(StopReason::Unrepeatable));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn inside_a_call_that_is_repeated_one_that_is_sent_once_stays_suppressed() {
    #[retry(attempts = 2, backoff = "none", budget = none)]
    async fn around() -> Result<u32, Failure> {
        let service = service_fn(inside_once);
        RetryLayer::new(POLICY).clone_with(|_: &&str| None).layer(service).oneshot("a").await
    }
    static INSIDE: AtomicUsize = AtomicUsize::new(0);
    #[retry(attempts = 3, backoff = "none", budget = none)]
    async fn inside_once(_request: &'static str) -> Result<u32, Failure> {
        INSIDE.fetch_add(1, Ordering::Relaxed);
        Err(Failure::Unavailable)
    }
    isolated(async {
        assert_eq!(around().await, Err(Failure::Unavailable));
        assert_eq!(INSIDE.load(Ordering::Relaxed), 2);
    })
    .await;
}
