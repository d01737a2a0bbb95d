//! A breaker that opens while a call waits, and breakers of calls within calls.

use std::time::Duration;

use crate::script::{
    Failure, OK, Outcome, Script, T, assert_balance, bucket, ms, observed, row, secs,
};
use stormless::{
    Breaker, BreakerState, Budget, RetryError, StopReason, breaker, budget, control, report, retry,
    testing::isolated,
};

budget! {
    static CALLS: Budget = Budget::new("breaker-waits");
    static INNER: Budget = Budget::new("breaker-waits-inner");
}

breaker! {
    static ORDERS: Breaker =
        Breaker::new("breaker-waits").consecutive(2).open_for(Duration::from_secs(30)).jitter(0.0);
    static OUTER: Breaker = Breaker::new("breaker-waits-outer");
}

#[retry(
    attempts = 5,
    backoff = "fixed",
    base = "1s",
    breaker = ORDERS,
    budget = CALLS,
    name = "waiting"
)]
async fn guarded(script: &Script) -> Outcome {
    script.body().await
}

#[retry(attempts = 5, backoff = "fixed", base = "1s", breaker = ORDERS, budget = CALLS)]
async fn wrapped(script: &Script) -> Result<(), RetryError<Failure>> {
    script.body().await
}

/// Runs a call and opens a breaker while it is asleep.
async fn opened_meanwhile<F: Future>(breaker: &Breaker, call: F) -> F::Output {
    let opens = async {
        tokio::time::sleep(ms(500)).await;
        breaker.open();
    };
    tokio::join!(call, opens).0
}

#[tokio::test(start_paused = true)]
async fn a_breaker_that_opened_during_the_wait_answers_and_the_withdrawal_comes_back() {
    isolated(async {
        let script = Script::new([T]);
        let (result, call) = opened_meanwhile(&ORDERS, observed(guarded(&script))).await;
        assert_eq!(result, Err(Failure::Open));
        assert_eq!((script.bodies(), script.elapsed()), (1, secs(1)));
        assert_eq!((call.attempts(), call.slept()), (1, secs(1)));
        assert_eq!(call.reason(), Some(StopReason::BreakerOpen));
        assert_eq!(call.failures().len(), 1);
        let row = row("waiting");
        assert_eq!((row.failures(), row.retries()), (1, 0), "that retry is none");
        let stats = bucket("breaker-waits").stats();
        assert_eq!((stats.withdrawn, stats.given_back), (1, 1));
        assert_balance("breaker-waits", 10.0);
        ORDERS.close();

        let script = Script::new([T]);
        let error = opened_meanwhile(&ORDERS, wrapped(&script)).await.unwrap_err();
        assert_eq!((error.attempts(), error.slept()), (1, secs(1)));
        assert_eq!((error.get_ref(), error.reason()), (None, StopReason::BreakerOpen));
        assert_balance("breaker-waits", 10.0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_inner_budgets_paid_comes_back_as_well() {
    #[retry(budget = INNER)]
    async fn inner(script: &Script) -> Outcome {
        script.body().await
    }
    #[retry(backoff = "fixed", base = "1s", breaker = OUTER, budget = CALLS)]
    async fn outer(script: &Script) -> Outcome {
        inner(script).await
    }
    isolated(async {
        let script = Script::new([T]);
        assert_eq!(opened_meanwhile(&OUTER, outer(&script)).await, Err(Failure::Open));
        for name in ["breaker-waits", "breaker-waits-inner"] {
            let stats = bucket(name).stats();
            assert_eq!((stats.withdrawn, stats.given_back), (1, 1), "{name}");
            assert_balance(name, 10.0);
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_suppressed_call_asks_its_breaker_and_tells_it() {
    #[retry(attempts = 2, backoff = "fixed", base = "1s", budget = none)]
    async fn outer(script: &Script) -> Outcome {
        guarded(script).await
    }
    isolated(async {
        // Both failures of the inner call, one in each of the outer's attempts, are seen.
        let script = Script::new([T, T]);
        let (result, calls) = report(outer(&script)).await;
        assert_eq!((result, ORDERS.state()), (T, BreakerState::Open));
        assert_eq!(calls[0].reason(), Some(StopReason::Nested));

        // Where it is open no body runs, in neither attempt; the refusal is worth a retry outside.
        let script = Script::new([]);
        let (result, calls) = report(outer(&script)).await;
        assert_eq!(result, Err(Failure::Open));
        let ends: Vec<_> = calls.iter().map(|call| (call.attempts(), call.reason())).collect();
        let refused = (0, Some(StopReason::BreakerOpen));
        assert_eq!(ends, [refused, refused, (2, Some(StopReason::AttemptsExhausted))]);
        // Only the failure that the outer call repeated was paid for.
        let stats = bucket("breaker-waits").stats();
        assert_eq!((stats.withdrawn, stats.refused), (1, 0));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn inner_and_outer_breakers_each_see_their_own_attempts() {
    #[retry(attempts = 3, backoff = "fixed", base = "1s", breaker = OUTER, budget = none)]
    async fn outer(script: &Script) -> Outcome {
        guarded(script).await
    }
    isolated(async {
        control::count_successes(true);
        let script = Script::new([T, OK]);
        assert_eq!(outer(&script).await, OK);
        for breaker in [&OUTER, &ORDERS] {
            let stats = breaker.stats();
            assert_eq!((stats.failures, stats.successes), (1, 1));
        }
        // The refusal inside is this process's own: the outer breaker does not count it.
        ORDERS.open();
        assert_eq!(outer(&Script::new([])).await, Err(Failure::Open));
        assert_eq!(OUTER.stats().failures, 1);
        assert_eq!(OUTER.state(), BreakerState::Closed);
    })
    .await;
}
