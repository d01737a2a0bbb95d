//! Memory stays flat over what a process does all its life: calls of every ending, windows, tables,
//! declarations and warnings.

#[path = "support/allocations.rs"]
mod allocations;

use std::{future::Future, time::Duration};

use allocations::in_use;
use stormless::{Budget, Retryable, budget, budgets, report, retry, sites, verify, warnings};

#[derive(Debug, PartialEq, Eq, thiserror::Error, Retryable)]
enum Failure {
    #[error("down")]
    #[retryable(transient)]
    Down,
    #[error("no")]
    #[retryable(permanent)]
    Refused,
    #[error("too late")]
    #[retryable(deadline_exceeded)]
    TooLate,
}

use Failure::{Down, Refused, TooLate};

budget! {
    static EMPTY: Budget = Budget::new("memory.empty").burst(1);
    static WINDOW: Budget = Budget::sliding_window("memory.window").ratio(0.6);
}

fn run<T>(future: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_time().start_paused(true).build().expect("a runtime").block_on(future)
}

/// What `rounds` rounds leave in use, once a few have made what is made once.
async fn left_behind(rounds: u32, mut round: impl AsyncFnMut(u32)) -> i64 {
    for number in 0..100 {
        round(number).await;
    }
    let before = in_use();
    for number in 0..rounds {
        round(number).await;
    }
    in_use() - before
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn failing(times: &mut u32) -> Result<(), Failure> {
    if *times == 0 {
        return Ok(());
    }
    *times -= 1;
    Err(Down)
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn refused() -> Result<(), Failure> {
    Err(Refused)
}

#[retry(attempts = 2, backoff = "none", budget = EMPTY)]
async fn broke() -> Result<(), Failure> {
    Err(Down)
}

#[retry(attempts = 2, backoff = "none", deadline = "1ms", budget = none)]
async fn cut() -> Result<(), Failure> {
    std::future::pending().await
}

#[retry(attempts = 2, backoff = "fixed", base = "1s", budget = none)]
async fn asleep() -> Result<(), Failure> {
    Err(Down)
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn around() -> Result<(), Failure> {
    broke().await
}

#[test]
fn a_million_calls_leave_nothing_whatever_they_end_in() {
    let left = run(left_behind(125_000, async |_| {
        assert_eq!(failing(&mut 0).await, Ok(()));
        assert_eq!(failing(&mut 1).await, Ok(()));
        assert_eq!(failing(&mut 2).await, Err(Down));
        assert_eq!(refused().await, Err(Refused));
        assert_eq!(broke().await, Err(Down));
        assert_eq!(around().await, Err(Down));
        assert_eq!(cut().await, Err(TooLate));
        assert!(tokio::time::timeout(Duration::from_millis(1), asleep()).await.is_err());
    }));
    assert_eq!(left, 0);
}

#[test]
fn a_report_leaves_nothing_once_it_has_been_read() {
    let left = run(left_behind(20_000, async |_| {
        let (result, calls) = report(around()).await;
        assert_eq!(result, Err(Down));
        assert!(calls.len() >= 2, "both calls are in it");
    }));
    assert_eq!(left, 0);
}

#[retry(attempts = 2, backoff = "none", budget = WINDOW)]
async fn windowed(fail: &mut bool) -> Result<(), Failure> {
    if std::mem::take(fail) { Err(Down) } else { Ok(()) }
}

// R151
#[test]
fn a_window_that_nobody_looks_at_keeps_its_size() {
    let left = run(left_behind(500_000, async |number| {
        // Through some hundred windows, of which each has its slots used again.
        if number % 100 == 0 {
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        assert_eq!(windowed(&mut true).await, Ok(()));
    }));
    assert_eq!(left, 0);
    assert_eq!(WINDOW.stats().refused, 0, "so that there were a million attempts");
}

#[test]
fn looking_at_the_process_leaves_nothing() {
    let left = run(left_behind(500, async |_| {
        assert!(!sites().to_string().is_empty());
        assert!(!budgets().to_string().is_empty());
        assert!(verify().is_ok());
    }));
    assert_eq!(left, 0);
}

#[test]
fn a_budget_that_is_declared_again_and_again_is_there_once() {
    let declare = |burst| Budget::dynamic("memory.declared").burst(burst).declare();
    let left = run(left_behind(50_000, async |_| {
        assert!(declare(5).is_ok());
    }));
    assert_eq!(left, 0);
    assert_eq!(budgets().iter().filter(|row| row.name() == "memory.declared").count(), 1);
}

#[test]
fn what_is_warned_about_is_kept_once() {
    let known = warnings().len();
    let left = run(left_behind(50_000, async |_| {
        // Nobody retries what the inner one would have.
        assert_eq!(lost().await, Err(Refused));
    }));
    assert_eq!(left, 0);
    assert!(warnings().len() <= known + 1);
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn lost() -> Result<(), Failure> {
    broke().await.map_err(|_| Refused)
}
