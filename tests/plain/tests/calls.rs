//! Calls in the build that services run: budgets, nesting, reports and counters are the process's.

use std::time::Duration;

use plain::{Dependency, Failure};
use stormless::{Budget, Outcome, RetryError, StopReason, budget, budgets, report, retry, sites};
use tokio::time::Instant;

budget! {
    static DRAINED: Budget = Budget::new("calls.drained").burst(2).ratio(0.5);
    static OUTER: Budget = Budget::new("calls.outer").burst(10).ratio(0.1);
    static INNER: Budget = Budget::new("calls.inner").burst(10).ratio(0.1);
    static WINDOW: Budget = Budget::sliding_window("calls.window").ratio(0.5).min_samples(0);
}

#[retry(attempts = 3, backoff = "exponential", base = "1s", budget = DRAINED, name = "draining")]
async fn draining(dependency: &Dependency) -> Result<u64, RetryError<Failure>> {
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn a_budget_pays_for_retries_and_answers_refill_it() {
    let (begun, dead) = (Instant::now(), Dependency::dead());
    let stopped = draining(&dead).await.expect_err("it is down");
    assert_eq!((stopped.reason(), stopped.attempts()), (StopReason::AttemptsExhausted, 3));
    assert_eq!(
        (stopped.slept(), begun.elapsed()),
        (Duration::from_secs(3), Duration::from_secs(3))
    );
    let refused = draining(&dead).await.expect_err("it is still down");
    assert_eq!((refused.reason(), dead.bodies()), (StopReason::BudgetExhausted, 4));
    assert_eq!(DRAINED.balance().to_string(), "0");

    for _ in 0..2 {
        assert_eq!(draining(&Dependency::failing(0)).await.ok(), Some(7));
    }
    assert_eq!(DRAINED.balance().to_string(), "1");
    assert_eq!(draining(&Dependency::failing(1)).await.ok(), Some(7));
    assert_eq!(DRAINED.balance().to_string(), "0.5");

    let stats = DRAINED.stats();
    assert_eq!((stats.withdrawn, stats.refused, stats.given_back), (3, 1, 0));
    let (sites, budgets) = (sites(), budgets());
    let counted = sites.get("draining").expect("it is linked");
    assert_eq!((counted.failures(), counted.retries(), counted.recovered()), (5, 3, 1));
    assert_eq!(counted.stops(StopReason::BudgetExhausted), 1);
    let row = budgets.get("calls.drained").expect("it is declared");
    assert_eq!((row.balance().to_string(), row.sites()), ("0.5".to_owned(), &["draining"][..]));
}

#[retry(attempts = 3, backoff = "none", budget = INNER, name = "inner")]
async fn inner(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[retry(attempts = 3, backoff = "none", budget = OUTER, name = "outer")]
async fn outer(dependency: &Dependency) -> Result<u64, Failure> {
    inner(dependency).await
}

#[tokio::test(start_paused = true)]
async fn nested_retries_do_not_multiply_and_are_paid_for_on_both_levels() {
    let dead = Dependency::dead();
    let (result, calls) = report(outer(&dead)).await;
    assert_eq!((result, dead.bodies()), (Err(Failure::Down), 3));
    assert_eq!(
        (OUTER.balance().to_string(), INNER.balance().to_string()),
        ("8".into(), "8".into())
    );
    let told: Vec<_> = calls
        .iter()
        .map(|call| (call.site(), call.attempts(), call.outcome(), call.reason()))
        .collect();
    let nested = ("inner", 1, Outcome::Failed, Some(StopReason::Nested));
    let gave_up = ("outer", 3, Outcome::Failed, Some(StopReason::AttemptsExhausted));
    assert_eq!(told, [nested, nested, nested, gave_up]);
    assert_eq!(calls[3].delays().collect::<Vec<_>>(), [Duration::ZERO; 2]);
}

#[retry(attempts = 2, backoff = "none", budget = WINDOW)]
async fn windowed(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn a_window_counts_every_attempt() {
    let healthy = Dependency::failing(0);
    for _ in 0..3 {
        assert_eq!(windowed(&healthy).await, Ok(7));
    }
    let dead = Dependency::dead();
    assert_eq!((windowed(&dead).await, dead.bodies()), (Err(Failure::Down), 2));
    assert_eq!(WINDOW.balance().to_string(), "1");
    tokio::time::advance(Duration::from_secs(60)).await;
    assert_eq!((windowed(&dead).await, dead.bodies()), (Err(Failure::Down), 3));
}

#[retry(attempts = 3, budget = none, name = "jittered", base = "1s", deadline = "1h")]
async fn jittered(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn jitter_is_drawn_for_each_call_anew() {
    const CALLS: usize = if cfg!(miri) { 10 } else { 100 };
    let mut seen = Vec::new();
    for _ in 0..CALLS {
        let (result, calls) = report(jittered(&Dependency::failing(1))).await;
        assert_eq!((result, calls[0].outcome()), (Ok(7), Outcome::Succeeded));
        seen.extend(calls[0].delays());
    }
    assert!(seen.iter().all(|delay| *delay <= Duration::from_secs(1)));
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > CALLS / 2, "{} of {CALLS} delays differ", seen.len());
}
