//! What a success costs in the build that services run.

#[path = "../../support/allocations.rs"]
mod allocations;

use std::{
    future::Future,
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
    time::Duration,
};

use allocations::{allocations, in_use};
use plain::{Dependency, Failure};
use stormless::{Budget, RetryError, budget, engine::Moment, retry};

budget! {
    static DECLARED: Budget = Budget::new("plain.declared");
    static NAMED: Budget = Budget::new("plain.named");
    static LARGE: Budget = Budget::new("plain.large").burst(1_000);
    static LARGE_INSIDE: Budget = Budget::new("plain.large-inside").burst(1_000);
    static EMPTY: Budget = Budget::new("plain.empty").burst(1).ratio(0.0);
    static WINDOW: Budget = Budget::sliding_window("plain.window");
}

#[retry]
async fn own(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[retry(budget = DECLARED)]
async fn declared(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[retry(budget = "plain.named")]
async fn named(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[retry(budget = none)]
async fn unbudgeted(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[retry(budget = WINDOW)]
async fn windowed(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[retry(deadline = "1s")]
async fn with_deadline(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[retry(budget = DECLARED)]
async fn nested(dependency: &Dependency) -> Result<u64, Failure> {
    own(dependency).await?;
    named(dependency).await
}

/// The result, and what this thread allocates while the future is driven to its end.
fn cost<F: Future>(future: F) -> (F::Output, u64) {
    let before = allocations();
    let mut future = pin!(future);
    let mut task = Context::from_waker(Waker::noop());
    let output = loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut task) {
            break output;
        }
    };
    (output, allocations() - before)
}

#[test]
fn a_success_allocates_nothing() {
    let healthy = Dependency::failing(0);
    macro_rules! free {
        ($($function:ident)*) => {$(
            // The first call looks its budget up; a call costs nothing from the second on.
            assert_eq!(cost($function(&healthy)).0, Ok(7));
            for _ in 0..100 {
                assert_eq!(cost($function(&healthy)), (Ok(7), 0), stringify!($function));
            }
        )*};
    }
    free!(own declared named unbudgeted windowed with_deadline nested);
}

#[tokio::test(start_paused = true)]
async fn the_counter_sees_what_a_failure_costs() {
    let before = allocations();
    assert_eq!(unbudgeted(&Dependency::failing(1)).await, Ok(7));
    assert!(allocations() > before);
}

/// The bytes and the number of what this thread allocates between now and the first wait.
fn asleep<F: Future>(future: Pin<&mut F>) -> (i64, u64) {
    let (bytes, before) = (in_use(), allocations());
    assert!(future.poll(&mut Context::from_waker(Waker::noop())).is_pending());
    (in_use() - bytes, allocations() - before)
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_asleep_has_one_allocation_hardly_larger_than_its_timer() {
    let timer = i64::try_from(size_of::<tokio::time::Sleep>()).unwrap();
    macro_rules! small {
        ($($function:ident)*) => {$(
            // The first call looks its budget up, and the first failure makes the counters of its label.
            assert_eq!($function(&Dependency::failing(1)).await, Ok(7));
            let failing = Dependency::failing(2);
            let mut call = pin!($function(&failing));
            let (bytes, allocations) = asleep(call.as_mut());
            assert_eq!(allocations, 1, stringify!($function));
            assert!(bytes <= timer + 72, "{bytes} bytes for {}", stringify!($function));
            // The second failure makes nothing.
            tokio::time::advance(Duration::from_millis(100)).await;
            assert_eq!(asleep(call.as_mut()), (0, 0), stringify!($function));
            assert_eq!(call.await, Ok(7));
        )*};
    }
    small!(own declared named unbudgeted with_deadline);
}

#[retry(budget = LARGE)]
async fn around_one(dependency: &Dependency) -> Result<u64, Failure> {
    inside(dependency).await
}

#[retry(budget = LARGE_INSIDE)]
async fn inside(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn calls_that_are_asleep_after_inner_ones_failed_keep_nothing_of_them_but_what_was_paid() {
    let failing: Vec<Dependency> = (0..256).map(|_| Dependency::failing(1)).collect();
    let mut calls = Vec::with_capacity(failing.len());
    let mut put_to_sleep = |dependencies| {
        let before = in_use();
        for dependency in dependencies {
            let mut call = Box::pin(around_one(dependency));
            let _ = asleep(call.as_mut());
            calls.push(call);
        }
        in_use() - before
    };
    // The first ones make what is made once.
    let (first, others) = failing.split_at(128);
    let _ = put_to_sleep(first);
    let bytes = put_to_sleep(others) / 128;
    let future = i64::try_from(size_of_val(&*calls[0])).unwrap();
    let timer = i64::try_from(size_of::<tokio::time::Sleep>()).unwrap();
    // Beside the budget of the call's own there is one payer more.
    assert!(bytes <= future + timer + 72 + 256, "{bytes} bytes");
}

#[tokio::test(start_paused = true)]
async fn a_second_payer_takes_a_box_and_the_second_failure_nothing() {
    // The table has a place for calls with any number once all have been there.
    for _ in 0..64 {
        assert_eq!(around_one(&Dependency::failing(1)).await, Ok(7));
    }
    let failing = Dependency::failing(2);
    let mut call = pin!(around_one(&failing));
    let (_, allocations) = asleep(call.as_mut());
    assert_eq!(allocations, 2);
    tokio::time::advance(Duration::from_millis(100)).await;
    assert_eq!(asleep(call.as_mut()), (0, 0));
    assert_eq!(call.await, Ok(7));
}

#[retry]
async fn final_answer(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer().and(Err(Failure::Refused))
}

#[retry]
async fn around_final(dependency: &Dependency) -> Result<u64, Failure> {
    final_answer(dependency).await
}

#[retry(budget = EMPTY)]
async fn penniless(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[retry(budget = LARGE)]
async fn around_penniless(dependency: &Dependency) -> Result<u64, Failure> {
    penniless(dependency).await
}

#[retry(attempts = 1)]
async fn recorded(dependency: &Dependency) -> Result<u64, RetryError<Failure>> {
    dependency.answer()
}

#[test]
fn a_call_that_stops_at_its_first_failure_allocates_nothing() {
    assert!(EMPTY.withdraw(1, Moment::from_nanos(0)).is_some());
    let (healthy, dead) = (Dependency::failing(0), Dependency::dead());
    macro_rules! free {
        ($($function:ident($dependency:ident) -> $error:pat),*) => {$(
            for call in 0..128 {
                let (result, allocations) = cost($function(&$dependency));
                assert!(matches!(result, Err($error)), "{result:?}");
                assert!(call < 64 || allocations == 0, stringify!($function));
            }
        )*};
    }
    free!(
        final_answer(healthy) -> Failure::Refused,
        around_final(healthy) -> Failure::Refused,
        penniless(dead) -> Failure::Down,
        around_penniless(dead) -> Failure::Down,
        recorded(dead) -> RetryError { .. }
    );
}

async fn plain_kib(dependency: &Dependency) -> Result<[u8; 1024], Failure> {
    let held = [u8::try_from(dependency.answer()?).unwrap_or(0); 1024];
    std::future::ready(()).await;
    Ok(held)
}

#[retry]
async fn retried_kib(dependency: &Dependency) -> Result<[u8; 1024], Failure> {
    let held = [u8::try_from(dependency.answer()?).unwrap_or(0); 1024];
    std::future::ready(()).await;
    Ok(held)
}

#[expect(clippy::unused_async, reason = "the plain counterpart of a function that awaits nothing")]
async fn plain_own(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer()
}

#[test]
fn a_future_is_hardly_larger_than_the_plain_one() {
    let healthy = Dependency::failing(0);
    let sizes = [
        (size_of_val(&plain_own(&healthy)), size_of_val(&own(&healthy))),
        (size_of_val(&plain_kib(&healthy)), size_of_val(&retried_kib(&healthy))),
    ];
    assert!(sizes[1].0 > 1024, "the plain one holds its kilobyte");
    for (plain, retried) in sizes {
        assert!(retried <= plain + plain / 10 + 96, "{retried} bytes against {plain}");
    }
}
