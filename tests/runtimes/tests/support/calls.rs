//! The calls that every timer must serve, with waits of a few milliseconds.

use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use stormless::{
    Budget, DeadlineExceeded, StopReason, budget,
    deadline::{remaining, within},
    report, retry,
};

use runtimes::{Dependency, Failure};

budget! {
    /// For the one call that is given up while it waits.
    static GIVEN_UP: Budget = Budget::new("runtimes-given-up").burst(10);
}

const WAIT: Duration = Duration::from_millis(3);

#[retry(attempts = 3, backoff = "fixed", base = "3ms", budget = none)]
async fn fetch(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer().await
}

#[retry(deadline = "3ms", budget = none)]
async fn limited(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer().await
}

#[retry(attempt_timeout = "3ms", idempotent, backoff = "none", budget = none)]
async fn timed(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer().await
}

#[retry(hedge = "3ms", idempotent, budget = none)]
async fn hedged(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer().await
}

#[retry(backoff = "fixed", base = "1h", max = "1h", budget = GIVEN_UP)]
async fn patient(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer().await
}

#[retry(blocking, attempts = 3, backoff = "fixed", base = "3ms", budget = none)]
fn fetch_blocking(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer_at_once()
}

/// A test for each call below, by a function that runs futures.
macro_rules! every_call {
    ($run:ident) => {
        #[test]
        fn a_retry_follows_its_wait() {
            $run(calls::a_retry_follows_its_wait());
        }

        #[test]
        fn a_deadline_ends_what_runs_too_long() {
            $run(calls::a_deadline_ends_what_runs_too_long());
        }

        #[test]
        fn an_attempt_that_takes_too_long_is_repeated() {
            $run(calls::an_attempt_that_takes_too_long_is_repeated());
        }

        #[test]
        fn a_hedge_starts_beside_what_is_slow() {
            $run(calls::a_hedge_starts_beside_what_is_slow());
        }

        #[test]
        fn a_call_that_is_given_up_while_it_waits_gets_its_retry_back() {
            $run(async { calls::a_call_that_is_given_up_while_it_waits_gets_its_retry_back() });
        }

        #[test]
        fn a_function_that_blocks_keeps_its_thread() {
            $run(async { calls::a_function_that_blocks_keeps_its_thread() });
        }
    };
}

pub(crate) async fn a_retry_follows_its_wait() {
    let (start, dependency) = (Instant::now(), Dependency::failing(2));
    let (result, calls) = report(fetch(&dependency)).await;
    assert_eq!((result, dependency.bodies()), (Ok(7), 3));
    assert!(start.elapsed() >= 2 * WAIT, "{:?}", start.elapsed());
    assert_eq!((calls.len(), calls[0].attempts(), calls[0].slept()), (1, 3, 2 * WAIT));
    assert!(calls[0].delays().eq([WAIT, WAIT]));

    let (result, calls) = report(fetch(&Dependency::failing(9))).await;
    assert_eq!(result, Err(Failure::Down));
    assert_eq!(calls[0].reason(), Some(StopReason::AttemptsExhausted));
}

pub(crate) async fn a_deadline_ends_what_runs_too_long() {
    let (start, dependency) = (Instant::now(), Dependency::silent(1));
    assert_eq!((limited(&dependency).await, dependency.bodies()), (Err(Failure::TooLate), 1));
    assert!(start.elapsed() >= WAIT);

    assert_eq!(within(WAIT, std::future::pending::<()>()).await, Err(DeadlineExceeded::default()));
    assert!(start.elapsed() >= 2 * WAIT);
    let inside = within(Duration::from_secs(3600), async {
        let left = remaining().expect("there is a deadline");
        assert!(left <= Duration::from_secs(3600));
        fetch(&Dependency::failing(1)).await
    });
    assert_eq!(inside.await, Ok(Ok(7)));
}

pub(crate) async fn an_attempt_that_takes_too_long_is_repeated() {
    let (start, dependency) = (Instant::now(), Dependency::silent(2));
    assert_eq!((timed(&dependency).await, dependency.bodies()), (Ok(7), 3));
    assert!(start.elapsed() >= 2 * WAIT);
    assert_eq!(timed(&Dependency::silent(9)).await, Err(Failure::Slow));
}

pub(crate) async fn a_hedge_starts_beside_what_is_slow() {
    let (start, dependency) = (Instant::now(), Dependency::silent(1));
    assert_eq!((hedged(&dependency).await, dependency.bodies()), (Ok(7), 2));
    assert!(start.elapsed() >= WAIT);
}

#[expect(clippy::float_cmp, reason = "whole retries")]
pub(crate) fn a_call_that_is_given_up_while_it_waits_gets_its_retry_back() {
    let balance = || GIVEN_UP.balance();
    let full = balance();
    {
        let dependency = Dependency::failing(9);
        let mut call = pin!(patient(&dependency));
        let polled = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert_eq!((polled, dependency.bodies()), (Poll::Pending, 1));
        assert_eq!(balance(), full - 1.0);
    }
    assert_eq!(balance(), full);
}

pub(crate) fn a_function_that_blocks_keeps_its_thread() {
    let (start, dependency) = (Instant::now(), Dependency::failing(2));
    assert_eq!((fetch_blocking(&dependency), dependency.bodies()), (Ok(7), 3));
    assert!(start.elapsed() >= 2 * WAIT);
}

/// A call that may be moved to another thread while it waits.
#[expect(clippy::manual_async_fn, reason = "its bounds are what is to be seen")]
pub(crate) fn sendable() -> impl Future<Output = Result<u64, Failure>> + Send + Sync + 'static {
    async { fetch(&Dependency::failing(2)).await }
}

pub(crate) async fn poll_once<F: Future>(mut future: Pin<&mut F>) -> Poll<F::Output> {
    poll_fn(|_| Poll::Ready(future.as_mut().poll(&mut Context::from_waker(Waker::noop())))).await
}
