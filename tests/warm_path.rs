//! What a call that succeeds at once costs: no allocation, no clock, and a future as small and as
//! `Send` as the plain one.

#[path = "support/allocations.rs"]
mod allocations;

use std::{
    future::{Future, poll_fn},
    pin::pin,
    rc::Rc,
    task::{Context, Poll, Waker},
};

use allocations::allocations;
use stormless::{Breaker, Budget, Classification, Retryable, breaker, budget, retry, testing};

budget! {
    static DECLARED: Budget = Budget::new("warm-declared");
    static NAMED: Budget = Budget::new("warm-named");
    static WINDOW: Budget = Budget::sliding_window("warm-window");
}

breaker! {
    static GUARD: Breaker = Breaker::new("warm-breaker");
}

#[derive(Debug, PartialEq, Eq, thiserror::Error, Retryable)]
enum Failure {
    #[error("down")]
    #[retryable(transient)]
    Down,
    #[error("too slow")]
    #[retryable(attempt_timeout)]
    TooSlow,
    #[error("too late")]
    #[retryable(deadline_exceeded)]
    TooLate,
    #[error("the breaker is open")]
    #[retryable(breaker_open)]
    Open,
}

#[retry]
async fn own(fail: bool) -> Result<u64, Failure> {
    if fail { Err(Failure::Down) } else { Ok(7) }
}

#[retry(budget = DECLARED)]
async fn declared(fail: bool) -> Result<u64, Failure> {
    if fail { Err(Failure::Down) } else { Ok(7) }
}

#[retry(budget = "warm-named")]
async fn named(fail: bool) -> Result<u64, Failure> {
    if fail { Err(Failure::Down) } else { Ok(7) }
}

#[retry(budget = none)]
async fn unbudgeted(fail: bool) -> Result<u64, Failure> {
    if fail { Err(Failure::Down) } else { Ok(7) }
}

#[retry(attempt_timeout = "1s")]
async fn timed(fail: bool) -> Result<u64, Failure> {
    if fail { Err(Failure::Down) } else { Ok(7) }
}

#[retry(idempotent, hedge = "1s", attempt_timeout = "2s")]
async fn hedged(fail: bool) -> Result<u64, Failure> {
    if fail { Err(Failure::Down) } else { Ok(7) }
}

#[retry(idempotent, hedge = "p95")]
async fn hedged_as_usual(fail: bool) -> Result<u64, Failure> {
    if fail { Err(Failure::Down) } else { Ok(7) }
}

#[retry]
async fn outer(fail: bool) -> Result<u64, Failure> {
    own(fail).await?;
    named(fail).await
}

#[retry(deadline = "1s")]
async fn with_deadline(fail: bool) -> Result<u64, Failure> {
    if fail { Err(Failure::Down) } else { Ok(7) }
}

/// Not ready once, as whatever waits for a socket.
async fn wait_once() {
    let mut waited = false;
    poll_fn(|task| {
        if std::mem::replace(&mut waited, true) {
            return Poll::Ready(());
        }
        task.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[retry]
async fn waiting(fail: bool) -> Result<u64, Failure> {
    wait_once().await;
    if fail { Err(Failure::Down) } else { Ok(7) }
}

#[retry(budget = DECLARED)]
async fn outer_waiting(fail: bool) -> Result<u64, Failure> {
    wait_once().await;
    waiting(fail).await
}

#[retry(deadline = "1s", time_per_attempt = "100ms")]
async fn rationed(fail: bool) -> Result<u64, Failure> {
    if fail { Err(Failure::Down) } else { Ok(7) }
}

#[retry(budget = WINDOW)]
async fn windowed(fail: bool) -> Result<u64, Failure> {
    if fail { Err(Failure::Down) } else { Ok(7) }
}

#[retry(breaker = GUARD)]
async fn guarded(fail: bool) -> Result<u64, Failure> {
    if fail { Err(Failure::Down) } else { Ok(7) }
}

#[retry(breaker = "warm-breaker")]
async fn guarded_by_name(fail: bool) -> Result<u64, Failure> {
    if fail { Err(Failure::Down) } else { Ok(7) }
}

#[retry(expect = "p95")]
async fn expecting(fail: bool) -> Result<u64, Failure> {
    if fail { Err(Failure::Down) } else { Ok(7) }
}

#[retry(expect = "p95", breaker = GUARD, deadline = "1s")]
async fn expecting_in_time(fail: bool) -> Result<u64, Failure> {
    if fail { Err(Failure::Down) } else { Ok(7) }
}

#[retry(idempotency_key = key)]
async fn keyed(key: u64) -> Result<u64, Failure> {
    if key == 0 { Err(Failure::Down) } else { Ok(7) }
}

/// What is counted on this thread while the future is driven to its end.
fn cost<F: Future>(future: F) -> (F::Output, u64, u64) {
    let (before, reads) = (allocations(), testing::clock_reads());
    let mut future = pin!(future);
    let mut task = Context::from_waker(Waker::noop());
    let output = loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut task) {
            break output;
        }
    };
    (output, allocations() - before, testing::clock_reads() - reads)
}

#[test]
fn a_success_allocates_nothing_and_reads_no_clock() {
    macro_rules! free {
        ($($function:ident)*) => {$(
            // The first call looks its budget up; a call costs nothing from the second on.
            assert_eq!(cost($function(false)).0, Ok(7));
            for _ in 0..100 {
                assert_eq!(cost($function(false)), (Ok(7), 0, 0), stringify!($function));
            }
        )*};
    }
    free!(own declared named unbudgeted timed hedged outer waiting outer_waiting);
    free!(guarded guarded_by_name expecting);
}

#[test]
fn only_a_deadline_reads_the_clock_once_and_it_allocates_nothing_either() {
    assert_eq!(cost(with_deadline(false)).0, Ok(7));
    assert_eq!(cost(with_deadline(false)), (Ok(7), 0, 1));
}

#[test]
fn only_a_part_of_the_own_latency_is_timed_and_that_allocates_nothing_either() {
    assert_eq!(cost(hedged_as_usual(false)).0, Ok(7));
    for _ in 0..100 {
        let (result, allocations, reads) = cost(hedged_as_usual(false));
        assert_eq!((result, allocations, reads), (Ok(7), 0, 2), "its start and its end");
    }
}

/// An attempt that has to wait makes the call's timer, and a hedge its own future.
#[tokio::test(start_paused = true)]
async fn a_hedge_allocates_where_it_starts_and_not_before() {
    #[retry(idempotent, hedge = "10ms", hedge_max = 2, attempts = 3, budget = none)]
    async fn slow(wait: std::time::Duration) -> Result<u64, Failure> {
        tokio::time::sleep(wait).await;
        Ok(7)
    }
    // The first call that no budget pays for finds that out.
    assert_eq!(slow(std::time::Duration::ZERO).await, Ok(7));
    let mut counts = Vec::new();
    for wait in [1, 15, 25].map(std::time::Duration::from_millis) {
        let before = allocations();
        assert_eq!(slow(wait).await, Ok(7));
        counts.push(allocations() - before);
    }
    assert_eq!(counts[0], 1, "the box with the timer");
    assert!(counts[0] < counts[1] && counts[1] < counts[2], "{counts:?}");
}

#[test]
fn an_expected_time_reads_the_clock_around_the_attempt_too_and_allocates_nothing() {
    assert_eq!(cost(expecting_in_time(false)).0, Ok(7));
    for _ in 0..100 {
        assert_eq!(cost(expecting_in_time(false)), (Ok(7), 0, 3));
    }
}

#[test]
fn rationed_attempts_allocate_nothing_either() {
    assert_eq!(cost(rationed(false)).0, Ok(7));
    for _ in 0..100 {
        assert_eq!(cost(rationed(false)), (Ok(7), 0, 1));
    }
}

#[test]
fn a_sliding_window_reads_the_clock_for_its_sample_and_allocates_with_the_first_alone() {
    assert_eq!(cost(windowed(false)).0, Ok(7));
    for _ in 0..100 {
        assert_eq!(cost(windowed(false)), (Ok(7), 0, 1));
    }
}

#[test]
fn a_key_of_the_users_is_paid_for_where_it_is_given_and_nowhere_else() {
    assert_eq!((cost(own(false)).0, cost(keyed(42)).0), (Ok(7), Ok(7)));
    for _ in 0..100 {
        let (result, allocations, reads) = cost(keyed(42));
        assert_eq!((result, reads), (Ok(7), 0));
        assert!(allocations > 0, "the key is text");
        assert_eq!(cost(own(false)), (Ok(7), 0, 0), "nobody else pays for it");
    }
}

/// The same counters see the work that a failure makes, so they can see work at all.
#[tokio::test(start_paused = true)]
async fn the_counters_see_what_a_failure_costs() {
    let (before, reads) = (allocations(), testing::clock_reads());
    assert_eq!(unbudgeted(true).await, Err(Failure::Down));
    assert!(allocations() > before);
    assert!(testing::clock_reads() > reads);
}

#[expect(clippy::unused_async, reason = "the plain counterpart of a function that awaits nothing")]
async fn plain_kib(byte: u8) -> Result<[u8; 1024], Failure> {
    if byte == 0 { Err(Failure::Down) } else { Ok([byte; 1024]) }
}

#[retry]
async fn retried_kib(byte: u8) -> Result<[u8; 1024], Failure> {
    if byte == 0 { Err(Failure::Down) } else { Ok([byte; 1024]) }
}

async fn plain_kib_held(byte: u8) -> Result<[u8; 1024], Failure> {
    let held = plain_kib(byte).await?;
    std::future::ready(()).await;
    Ok(held)
}

#[retry]
async fn retried_kib_held(byte: u8) -> Result<[u8; 1024], Failure> {
    let held = plain_kib(byte).await?;
    std::future::ready(()).await;
    Ok(held)
}

/// 1.1 times the plain future, and 96 bytes.
fn limit(plain: usize) -> usize {
    plain + plain / 10 + 96
}

#[test]
fn a_large_result_is_not_kept_through_the_wait() {
    let (plain, retried) = (size_of_val(&plain_kib(1)), size_of_val(&retried_kib(1)));
    assert!(retried <= limit(plain), "{retried} bytes against {plain}");
    let (plain, retried) = (size_of_val(&plain_kib_held(1)), size_of_val(&retried_kib_held(1)));
    assert!(plain > 1024, "the plain one holds its kilobyte");
    assert!(retried <= limit(plain), "{retried} bytes against {plain}");
}

/// An error that must not cross threads.
#[derive(Debug)]
struct Local(Rc<str>);

impl Retryable for Local {
    fn classify(&self) -> Classification {
        if self.0.is_empty() { Classification::permanent() } else { Classification::transient() }
    }
}

#[expect(clippy::unused_async, reason = "the plain counterpart of a function that awaits nothing")]
async fn plain_local() -> Result<u64, Local> {
    Err(Local("down".into()))
}

#[retry(on_retry = |event| assert!(event.error().is_some()))]
async fn retried_local() -> Result<u64, Local> {
    plain_local().await
}

#[tokio::test(start_paused = true)]
async fn an_error_that_is_not_send_leaves_the_future_send() {
    fn send<F: Future + Send>(future: F) -> F {
        future
    }
    drop(send(plain_local()));
    let error = send(retried_local()).await.unwrap_err();
    assert_eq!(&*error.0, "down");
}
