//! Functions that block: settings, and calls within calls.
//!
//! They obey the same rules as asynchronous ones, and see the same context: what is called in an
//! attempt inherits its deadline and runs once. Only `attempt_timeout` is refused, as nothing can end an
//! attempt that blocks.

use std::time::{Duration, Instant};

use stormless::{
    Budget, Classification, Context, RetryError, SiteRow, StopReason, Warning, budget, current,
    deadline, retry, sites, warnings,
};

use crate::{
    support::{Failed, Tries},
    waits::Waits,
};

budget! {
    static ORDERS: Budget = Budget::new("blocking.orders").burst(1).ratio(0.1);
}

/// `blocking`, `budget`.
/// Each retry is paid for, and a refused one is not slept for.
#[test]
fn budget() {
    static TRIES: Tries = Tries::failing(9);
    #[retry(blocking, budget = ORDERS)]
    fn fails() -> Result<(), RetryError<Failed>> {
        TRIES.run()
    }
    let waits = Waits::start();
    assert_eq!(fails().map_err(|error| error.reason()), Err(StopReason::BudgetExhausted));
    assert_eq!((TRIES.bodies(), waits.count()), (2, 1));
}

/// `blocking`, a `deadline` that is already over.
/// The cut error, and no body.
#[test]
fn deadline_over() {
    static TRIES: Tries = Tries::failing(0);
    #[derive(Debug, PartialEq, stormless::Retryable)]
    enum Error {
        #[retryable(deadline_exceeded)]
        TooLate,
    }
    #[retry(blocking, deadline = at)]
    fn late(at: Instant) -> Result<u32, Error> {
        TRIES.run().map(|()| 4).map_err(|_| Error::TooLate)
    }
    let now = Instant::now();
    assert_eq!(late(now), Err(Error::TooLate));
    assert_eq!(TRIES.bodies(), 0);
    assert_eq!(late(now + Duration::from_secs(3600)), Ok(4));
    assert_eq!(TRIES.bodies(), 1);
}

/// `blocking`, a `deadline` that the wait would pass.
/// It ends at once and does not sleep.
#[test]
fn deadline_too_close() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(blocking, deadline = "1h", backoff = "fixed", base = "2h", max = "2h")]
    fn fails() -> Result<(), RetryError<Failed>> {
        TRIES.run()
    }
    let waits = Waits::start();
    assert_eq!(fails().map_err(|error| error.reason()), Err(StopReason::DeadlineTooClose));
    assert_eq!((TRIES.bodies(), waits.count()), (1, 0));
}

/// `blocking`, `classify`, `on_retry` and a hint.
/// The wait is as long as the server asked for, at least.
#[test]
fn hint() {
    static TRIES: Tries = Tries::failing(1);
    #[retry(
        blocking,
        classify = |Failed| Classification::throttled().retry_after(*least),
        on_retry = |event| seen.push(event.delay()),
    )]
    fn asked(least: &Duration, seen: &mut Vec<Duration>) -> Result<(), Failed> {
        assert!(seen.len() < 2);
        TRIES.run()
    }
    let (waits, mut seen) = (Waits::start(), Vec::new());
    assert_eq!(asked(&Duration::from_secs(3), &mut seen), Ok(()));
    assert_eq!((TRIES.bodies(), waits.count()), (2, 1));
    assert!(seen[0] >= Duration::from_secs(3), "{seen:?}");
}

/// `blocking`, `idempotent`.
/// Without it, what may have been carried out is not repeated.
#[test]
fn idempotent() {
    static TRIES: Tries = Tries::failing(4);
    #[retry(blocking, backoff = "none", idempotent = again, classify = |_| Classification::timeout())]
    fn put(again: bool) -> Result<(), Failed> {
        TRIES.run()
    }
    assert_eq!(put(false), Err(Failed));
    assert_eq!(TRIES.bodies(), 1);
    assert_eq!(put(true), Err(Failed));
    assert_eq!(TRIES.bodies(), 4);
}

/// `blocking` in `blocking`.
/// The inner function runs once for each attempt of the outer one.
#[test]
fn nested() {
    static TRIES: Tries = Tries::failing(9);
    #[retry(blocking, backoff = "none")]
    fn outer() -> Result<(), Failed> {
        inner()
    }
    #[retry(blocking, backoff = "none")]
    fn inner() -> Result<(), Failed> {
        TRIES.run()
    }
    assert_eq!(outer(), Err(Failed));
    assert_eq!(TRIES.bodies(), 3);
}

/// An `async fn` in `blocking`, driven by a runtime of the attempt's own.
/// It knows that it is inside an attempt, and runs once.
#[test]
fn driven() {
    static TRIES: Tries = Tries::failing(9);
    #[retry(blocking, backoff = "none", deadline = "1h", uncut)]
    fn outer() -> Result<(), Failed> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .map_err(|_| Failed)?;
        runtime.block_on(inner())
    }
    #[retry(backoff = "none")]
    async fn inner() -> Result<(), Failed> {
        assert!(deadline::remaining().is_some());
        TRIES.answer(()).await
    }
    assert_eq!(outer(), Err(Failed));
    assert_eq!(TRIES.bodies(), 3);
}

/// `blocking` in an `async fn`.
/// It runs once for each attempt of the outer one, and leaves a warning and a mark in `sites()`.
#[tokio::test(start_paused = true)]
async fn in_async() {
    static TRIES: Tries = Tries::failing(9);
    #[retry]
    async fn outer() -> Result<(), Failed> {
        inner()
    }
    #[retry(blocking, backoff = "none", name = "blocking.in_async")]
    fn inner() -> Result<(), Failed> {
        TRIES.run()
    }
    assert_eq!(outer().await, Err(Failed));
    assert_eq!(TRIES.bodies(), 3);
    assert!(sites().get("blocking.in_async").is_some_and(SiteRow::blocks_runtime));
    assert!(warnings().contains(&Warning::BlocksRuntime { site: "blocking.in_async" }));
}

/// `blocking`, the context of its attempts.
/// The attempt's number and the time left are known to everything that is called in it.
#[test]
fn context() {
    static TRIES: Tries = Tries::failing(1);
    fn here() -> (Option<u32>, bool) {
        (current().map(|attempt| attempt.number()), deadline::remaining().is_some())
    }
    #[retry(blocking, backoff = "none", deadline = "1h", uncut)]
    fn seen(all: &mut Vec<(Option<u32>, bool)>) -> Result<(), Failed> {
        all.push(here());
        TRIES.run()
    }
    let mut all = vec![here()];
    assert_eq!(seen(&mut all), Ok(()));
    all.push(here());
    assert_eq!(all, [(None, false), (Some(1), true), (Some(2), true), (None, false)]);
    assert_eq!(TRIES.bodies(), 2);
}

/// `blocking` on a thread of its own, with `Context::run`.
/// The context that was carried there suppresses its retries, and without it they multiply.
#[test]
fn across_a_thread() {
    static TRIES: Tries = Tries::failing(9);
    #[retry(blocking, backoff = "none")]
    fn outer() -> Result<(), Failed> {
        let context = Context::capture();
        std::thread::spawn(move || context.run(inner)).join().map_err(|_| Failed)?
    }
    #[retry(blocking, backoff = "none")]
    fn inner() -> Result<(), Failed> {
        assert_eq!(deadline::remaining(), None);
        TRIES.run()
    }
    assert_eq!(outer(), Err(Failed));
    assert_eq!(TRIES.bodies(), 3);
}
