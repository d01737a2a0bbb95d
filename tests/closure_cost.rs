//! What a closure's call that succeeds at once costs, after the first of its site: no allocation, no clock, and
//! no more room than it is told to need.

#[path = "support/allocations.rs"]
mod allocations;

use std::{
    future::{Future, IntoFuture, ready},
    pin::pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use allocations::allocations;
use stormless::{Breaker, Budget, Policy, Quantile, RetryExt, breaker, budget, testing};

budget! {
    static PAID: Budget = Budget::new("closure-cost");
}

breaker! {
    static GUARD: Breaker = Breaker::new("closure-cost");
}

const POLICY: Policy = Policy::new();
const SECOND: Duration = Duration::from_secs(1);

type Answer = std::io::Result<u64>;

fn answer() -> std::future::Ready<Answer> {
    ready(Ok(7))
}

fn run<F: Future>(call: F) -> F::Output {
    match pin!(call).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it is ready at once"),
    }
}

/// What the second to the hundredth of them cost: allocations, and times the clock was read.
fn cost(call: impl Fn() -> u64) -> (u64, u64) {
    assert_eq!(call(), 7);
    let (allocated, clock) = (allocations(), testing::clock_reads());
    for _ in 0..99 {
        assert_eq!(call(), 7);
    }
    (allocations() - allocated, testing::clock_reads() - clock)
}

#[test]
fn a_call_that_succeeds_at_once_allocates_nothing_and_reads_no_clock() {
    let free = (0, 0);
    assert_eq!(cost(|| run(POLICY.run(answer).into_future()).unwrap()), free);
    assert_eq!(cost(|| run(POLICY.run(async || answer().await).into_future()).unwrap()), free);
    assert_eq!(cost(|| run(answer.retry(POLICY).named("cost.named").into_future()).unwrap()), free);
    assert_eq!(cost(|| run(POLICY.run(answer).budget(&PAID).into_future()).unwrap()), free);
    assert_eq!(
        cost(|| run(POLICY.run(answer).budget("closure-cost").into_future()).unwrap()),
        free
    );
    assert_eq!(cost(|| run(POLICY.run(answer).no_budget().into_future()).unwrap()), free);
    assert_eq!(cost(|| run(POLICY.run(answer).breaker(&GUARD).into_future()).unwrap()), free);
    assert_eq!(
        cost(|| run(POLICY.run(answer).attempt_timeout(SECOND).into_future()).unwrap()),
        free
    );
    assert_eq!(cost(|| run(POLICY.run(answer).explain().into_future()).unwrap()), free);
    assert_eq!(cost(|| run(POLICY.run(answer).fallback(|_| 8).into_future())), free);
    assert_eq!(
        cost(|| run(POLICY.idempotent().run(answer).hedge(SECOND).into_future()).unwrap()),
        free
    );
    assert_eq!(cost(|| run(POLICY.run_mut(answer).call()).unwrap()), free);
    assert_eq!(cost(|| POLICY.run_blocking(|| Answer::Ok(7)).call().unwrap()), free);
}

#[test]
fn what_needs_the_clock_reads_it_and_allocates_nothing() {
    // As an annotated function does whose deadline is an expression.
    let call = || run(POLICY.run(answer).deadline(SECOND).into_future()).unwrap();
    assert_eq!(cost(call), (0, 2 * 99));
    // When the attempt starts, and when it has ended.
    let call = || run(POLICY.idempotent().run(answer).hedge(Quantile::P95).into_future()).unwrap();
    assert_eq!(cost(call), (0, 2 * 99));
}

#[test]
fn a_future_has_room_for_every_setting_and_no_more() {
    let plain = size_of_val(&POLICY.run(answer).into_future());
    let told = POLICY.run(answer).budget(&PAID).breaker(&GUARD).deadline(SECOND).into_future();
    assert_eq!(plain, size_of_val(&told));
    assert!(plain <= 384, "{plain}");
    let hedged = size_of_val(&POLICY.run(answer).hedge(SECOND).into_future());
    assert!(hedged <= plain + 128, "{hedged}");
}
