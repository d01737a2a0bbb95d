//! What annotated functions do inside of a request whose caller says something.

use std::{cell::Cell, collections::HashMap, time::Duration};

use stormless::{
    Attempt, Budget, Classification, Outcome, Retryable, StopReason, current, deadline, report,
    retry, sites,
    testing::isolated,
    wire::{self, Facts, Incoming},
};
use tokio::time::Instant;

#[derive(Debug, PartialEq, Eq, Retryable)]
enum Failed {
    #[retryable(transient)]
    Down,
    #[retryable(timeout)]
    Doubtful,
    #[retryable(deadline_exceeded)]
    Late,
}

#[retry(attempts = 3, base = "1ms", budget = none)]
async fn plain(calls: &Cell<u32>) -> Result<(), Failed> {
    calls.set(calls.get() + 1);
    Err(Failed::Down)
}

#[retry(attempts = 3, base = "1ms", budget = none, idempotent)]
async fn doubtful(calls: &Cell<u32>) -> Result<(), Failed> {
    calls.set(calls.get() + 1);
    Err(Failed::Doubtful)
}

#[retry(attempts = 3, base = "1ms", budget = none, nested = "independent")]
async fn independent(calls: &Cell<u32>) -> Result<(), Failed> {
    calls.set(calls.get() + 1);
    Err(Failed::Down)
}

/// A request with this header.
fn request(value: &str) -> Incoming {
    wire::extract(&HashMap::from([("stormless-attempt".to_owned(), value.to_owned())]))
}

/// How often a function was called inside a request with this header.
async fn calls<F>(value: &str, call: impl FnOnce(&'static Cell<u32>) -> F) -> u32
where
    F: Future<Output = Result<(), Failed>>,
{
    let calls: &'static Cell<u32> = Box::leak(Box::default());
    let _failed = request(value).scope(call(calls)).await;
    calls.get()
}

#[tokio::test(start_paused = true)]
async fn a_function_runs_once_where_the_caller_will_retry_and_else_as_it_says() {
    for (value, made) in [
        ("1;max=3", 1),
        ("2;max=3", 1),
        // The last attempt of an enclosing call suppresses as the others do.
        ("3;max=3", 1),
        // Without a limit.
        ("1", 1),
        ("1;max=1", 3),
        ("1;max=3;allow", 3),
        ("1;max=1;remaining=10000", 3),
        // What is malformed changes nothing.
        ("1;max=x", 3),
        ("0;max=3", 3),
        ("", 3),
    ] {
        assert_eq!(calls(value, plain).await, made, "{value:?}");
    }
    assert_eq!(calls("2;max=3", independent).await, 3);
}

#[tokio::test(start_paused = true)]
async fn what_may_have_been_carried_out_is_retried_where_the_caller_does_not() {
    assert_eq!(calls("1;max=3", doubtful).await, 3);
    assert_eq!(calls("1;max=3;idempotent", doubtful).await, 1);
    // Whoever makes one attempt repeats nothing.
    assert_eq!(calls("1;max=1;idempotent", doubtful).await, 3);
}

#[tokio::test(start_paused = true)]
async fn foreign_headers_tell_of_retries_too_and_the_highest_attempt_counts() {
    let extract = |pairs: &[(&str, &str)]| {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        wire::extract(&pairs.collect::<HashMap<_, _>>())
    };
    let grpc = ("grpc-previous-rpc-attempts", "2");
    let aws = ("amz-sdk-request", "ttl=20261129T182501Z; attempt=4; max=5");
    let envoy = ("x-envoy-attempt-count", "6");
    for (pairs, attempt, max, suppresses) in [
        (&[envoy][..], Some(6), None, true),
        (&[("x-envoy-attempt-count", "1")], Some(1), None, false),
        (&[aws], Some(4), Some(5), true),
        (&[envoy, aws], Some(6), None, true),
        (&[("amz-sdk-request", "attempt=1; max=3")], Some(1), Some(3), true),
        (&[("amz-sdk-request", "attempt=1; max=1")], Some(1), Some(1), false),
        (&[("amz-sdk-request", "attempt=1")], Some(1), None, false),
        (&[envoy, aws, grpc], Some(6), None, true),
        (&[grpc, ("amz-sdk-request", "attempt=1; max=3")], Some(3), Some(3), true),
        // Beside a proxy that repeats, ours is the same on all that it sends.
        (&[envoy, aws, grpc, ("stormless-attempt", "1;max=1")], Some(6), None, true),
        (&[grpc, ("stormless-attempt", "1;max=1;idempotent")], Some(3), None, true),
        (&[grpc, ("stormless-attempt", "1;max=5")], Some(3), Some(5), true),
        (&[grpc, ("stormless-attempt", "1;max=5;allow")], Some(3), Some(5), true),
        // What the caller has written in more than one way is one and the same retry.
        (&[grpc, ("stormless-attempt", "3;max=5;allow")], Some(3), Some(5), false),
        (&[grpc, ("stormless-attempt", "4;max=5")], Some(4), Some(5), true),
        (
            &[("x-envoy-attempt-count", "1"), ("stormless-attempt", "1;max=1")],
            Some(1),
            Some(1),
            false,
        ),
        (&[envoy, ("stormless-attempt", "broken")], Some(6), None, true),
        (&[("grpc-previous-rpc-attempts", "-1")], None, None, false),
        (&[], None, None, false),
    ] {
        let incoming = extract(pairs);
        let told = (incoming.attempt(), incoming.max(), incoming.suppresses());
        assert_eq!(told, (attempt, max, suppresses), "{pairs:?}");
        // The wall clock of another machine limits nothing.
        assert_eq!(incoming.remaining(), None);
        assert_eq!(incoming.is_empty(), attempt.is_none());
    }
    for (pairs, left) in [
        (&[("grpc-timeout", "70m")][..], Some(70)),
        (&[("x-envoy-expected-rq-timeout-ms", "80")], Some(80)),
        (&[("grpc-timeout", "70m"), ("stormless-attempt", "1;remaining=90")], Some(70)),
        (&[("grpc-timeout", "70m"), ("stormless-attempt", "1;remaining=60")], Some(60)),
        (&[("grpc-timeout", "70"), ("x-envoy-expected-rq-timeout-ms", "x")], None),
    ] {
        let left = left.map(Duration::from_millis);
        assert_eq!(extract(pairs).remaining(), left, "{pairs:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_that_is_left_counts_from_receipt_and_only_shrinks() {
    let seconds = Duration::from_secs;
    let incoming = request("1;remaining=2000");
    tokio::time::sleep(seconds(1)).await;
    assert_eq!(incoming.remaining(), Some(seconds(1)));
    assert_eq!(incoming.scope(async { deadline::remaining() }).await, Some(seconds(1)));
    let left = async |limit: u64, value: &str| {
        let inside = request(value).scope(async { deadline::remaining() });
        deadline::within(seconds(limit), inside).await.unwrap()
    };
    assert_eq!(left(5, "1;remaining=3000").await, Some(seconds(3)));
    assert_eq!(left(3, "1;remaining=5000").await, Some(seconds(3)));
    assert_eq!(left(3, "1").await, Some(seconds(3)));
    assert_eq!(request("1;remaining=999999999999999").scope(async { 7 }).await, 7);
}

#[retry(attempts = 3, budget = none)]
async fn hangs() -> Result<(), Failed> {
    std::future::pending().await
}

#[tokio::test(start_paused = true)]
async fn a_running_attempt_ends_at_the_caller_s_deadline_and_none_starts_after_it() {
    let began = Instant::now();
    assert_eq!(request("1;max=3;remaining=400").scope(hangs()).await, Err(Failed::Late));
    assert_eq!(began.elapsed(), Duration::from_millis(400));
    let (result, reports) = report(request("1;remaining=0").scope(hangs())).await;
    assert_eq!(result, Err(Failed::Late));
    assert_eq!(
        (reports[0].attempts(), reports[0].reason()),
        (0, Some(StopReason::DeadlineExceeded))
    );
}

static EARNED: Budget = Budget::new("wire_incoming.earned").burst(10).ratio(0.5);

#[retry(budget = EARNED)]
async fn succeeds() -> Result<(), Failed> {
    Ok(())
}

#[retry(attempts = 2, budget = EARNED)]
async fn spends() -> Result<(), Failed> {
    Err(Failed::Down)
}

#[tokio::test(start_paused = true)]
async fn a_success_in_a_caller_s_retry_earns_nothing() {
    for (value, earned) in
        [("1;max=3", 0.5), ("2;max=3", 0.0), ("2;max=3;allow", 0.5), ("1;max=1", 0.5)]
    {
        isolated(async {
            spends().await.unwrap_err();
            let before = EARNED.balance();
            request(value).scope(succeeds()).await.unwrap();
            let gained = EARNED.balance() - before;
            assert!((gained - earned).abs() < 1e-9, "{value}: {gained}");
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_here_is_told_of_what_the_caller_will_repeat_and_nothing_counts_as_lost() {
    isolated(async {
        let calls = Cell::new(0);
        let (_, reports) = report(request("1;max=3").scope(plain(&calls))).await;
        assert_eq!(reports.len(), 1);
        assert_eq!(
            (reports[0].outcome(), reports[0].reason()),
            (Outcome::Failed, Some(StopReason::Nested))
        );
        let sites = sites();
        let row = sites.iter().find(|row| row.name().ends_with("::plain")).unwrap();
        assert_eq!(row.lost_to_nesting(), 0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn right_inside_of_a_request_no_attempt_of_ours_is_running() {
    let incoming = request("2;max=3");
    assert_eq!(incoming.scope(async { current() }).await, None);
    // It is passed on, by whoever has no attempts of its own.
    let passed = incoming.scope(async { Facts::current() }).await;
    assert_eq!(passed, Some(Facts::new(2).max_attempts(3)));
    assert_eq!(incoming.run(Facts::current), passed);
    // Whoever does not say how often it asks is not said to ask once.
    let envoy = HashMap::from([("x-envoy-attempt-count".to_owned(), "1".to_owned())]);
    let passed = wire::extract(&envoy).run(Facts::current);
    assert_eq!(passed, Some(Facts::new(1).allow_inner()));
    let incoming = Incoming::from(Facts::new(1).max_attempts(5).allow_inner());
    let passed = incoming.scope(async { Facts::current() }).await;
    assert_eq!(passed, Some(Facts::new(1).max_attempts(5).allow_inner()));
}

#[retry(attempts = 3, budget = none, classify = |(): &()| Classification::transient())]
async fn keyed(keys: &Cell<Vec<String>>) -> Result<(), ()> {
    let mut all = keys.take();
    all.push(current().as_ref().map(Attempt::idempotency_key).unwrap().to_string());
    keys.set(all);
    Err(())
}

#[tokio::test(start_paused = true)]
async fn keys_inside_of_a_request_are_made_and_forgotten_like_others() {
    let keys = Cell::default();
    for _ in 0..2 {
        let _failed = request("1;max=1").scope(keyed(&keys)).await;
    }
    let keys = keys.take();
    assert_eq!(keys.len(), 6);
    assert!(keys[0] == keys[1] && keys[1] == keys[2], "one call, one key: {keys:?}");
    assert_ne!(keys[0], keys[3]);
}
