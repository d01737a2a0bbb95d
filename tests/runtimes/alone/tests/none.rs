//! Without any timer no call waits for ever, none is repeated without a wait, and it is said.
#![cfg(not(any(feature = "futures-timer", feature = "async-io")))]

#[path = "support/found.rs"]
mod found;

use std::{
    future::{Future, pending},
    pin::pin,
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use alone::{Dependency, Failure};
use futures_executor::block_on;
use stormless::{
    Budget, DeadlineExceeded, Problem, StopReason, Warning, budget, deadline::within, report,
    retry, sites, verify, warnings,
};

budget! {
    static ORDERS: Budget = Budget::new("alone-orders").burst(10);
}

#[retry(budget = ORDERS, name = "fetch")]
async fn fetch(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer().await
}

#[test]
fn a_call_stops_where_it_would_have_to_wait() {
    if found::is_tokios() {
        return;
    }
    let dependency = Dependency::failing(1);
    let (result, calls) = block_on(report(fetch(&dependency)));
    assert_eq!((result, dependency.bodies()), (Err(Failure::Down), 1));
    assert_eq!(calls[0].reason(), Some(StopReason::Disabled));
    assert_eq!(calls[0].slept(), Duration::ZERO);
    // The retry that was not made is not paid for.
    assert_eq!(format!("{:.1}", ORDERS.balance()), "10.0");

    let warning = Warning::NoTimer { site: "fetch" };
    assert_eq!(warnings().iter().filter(|known| **known == warning).count(), 1);
    let words = "`fetch` runs without retries, because there is nothing to wait with: switch on a timer's feature or call `timer::install`; where no thread may sleep, make it an `async fn`";
    assert_eq!(warning.to_string(), words);
    assert!(sites().to_string().contains("`fetch` runs without retries"), "{}", sites());
}

#[test]
fn a_look_at_the_start_finds_it() {
    if found::is_tokios() {
        return;
    }
    let error = verify().expect_err("nothing can wait");
    assert_eq!(error.problems(), [Problem::NoTimer]);
    assert_eq!(
        error.to_string(),
        "there is no timer to wait with: switch on a timer's feature, or call `timer::install` before"
    );
}

#[test]
fn what_succeeds_and_what_need_not_wait_needs_no_timer() {
    #[retry(backoff = "none", budget = none)]
    async fn at_once(dependency: &Dependency) -> Result<u64, Failure> {
        dependency.answer().await
    }
    if found::is_tokios() {
        return;
    }
    assert_eq!(block_on(fetch(&Dependency::failing(0))), Ok(7));
    let dependency = Dependency::failing(2);
    assert_eq!((block_on(at_once(&dependency)), dependency.bodies()), (Ok(7), 3));
}

#[test]
fn a_function_that_blocks_needs_no_timer() {
    #[retry(blocking, backoff = "fixed", base = "2ms", budget = none)]
    fn blocks(dependency: &Dependency) -> Result<u64, Failure> {
        dependency.answer_at_once()
    }
    if found::is_tokios() {
        return;
    }
    let (start, dependency) = (Instant::now(), Dependency::failing(2));
    assert_eq!((blocks(&dependency), dependency.bodies()), (Ok(7), 3));
    assert!(start.elapsed() >= Duration::from_millis(4));
}

fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn time_limits_are_seen_when_the_task_is_polled_for_another_reason() {
    #[retry(attempts = 1, deadline = "2ms", budget = none)]
    async fn limited() -> Result<u64, Failure> {
        pending().await
    }
    #[retry(attempts = 1, attempt_timeout = "2ms", budget = none)]
    async fn timed() -> Result<u64, Failure> {
        pending().await
    }
    if found::is_tokios() {
        return;
    }
    let limit = Duration::from_millis(2);
    let (mut one, mut other) = (pin!(limited()), pin!(timed()));
    let mut around = pin!(within(limit, pending::<()>()));
    let mut long = pin!(within(Duration::from_secs(3600), pending::<()>()));
    // It may have passed before the first look.
    let first = (poll(one.as_mut()), poll(other.as_mut()), poll(around.as_mut()));
    std::thread::sleep(limit);
    if first.0.is_pending() {
        assert_eq!(poll(one), Poll::Ready(Err(Failure::TooLate)));
    }
    if first.1.is_pending() {
        assert_eq!(poll(other), Poll::Ready(Err(Failure::Slow)));
    }
    if first.2.is_pending() {
        assert_eq!(poll(around), Poll::Ready(Err(DeadlineExceeded::default())));
    }
    assert_eq!(poll(long.as_mut()), Poll::Pending);
}
