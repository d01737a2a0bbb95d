//! What a success costs in the build that services run.

#[path = "../../support/allocations.rs"]
mod allocations;

use std::{
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};

use allocations::allocations;
use plain::{Dependency, Failure};
use stormless::{Budget, budget, retry};

budget! {
    static DECLARED: Budget = Budget::new("plain.declared");
    static NAMED: Budget = Budget::new("plain.named");
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
