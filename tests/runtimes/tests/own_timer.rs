//! A timer of the program's own, with virtual time: everything goes by it, to the nanosecond.

#[path = "support/virtual_time.rs"]
mod virtual_time;

use std::{
    pin::pin,
    sync::Mutex,
    task::Poll,
    time::{Duration, Instant},
};

use runtimes::{Dependency, Failure};
use stormless::{
    Breaker, BreakerState, Budget, DeadlineExceeded, Retryable, StopReason, breaker, budget,
    deadline::{remaining, within},
    report, retry,
};
use virtual_time::{advance, now, poll, run, sleepers, start};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// When the bodies started.
#[derive(Default)]
struct Starts(Mutex<Vec<Duration>>);

impl Starts {
    fn note(&self) {
        self.0.lock().expect("nobody panics").push(now());
    }

    fn take(self) -> Vec<Duration> {
        self.0.into_inner().expect("nobody panics")
    }
}

#[test]
fn retries_start_when_they_are_due() {
    #[retry(attempts = 4, backoff = "exponential", base = "100ms", budget = none)]
    async fn fetch(starts: &Starts) -> Result<(), Failure> {
        starts.note();
        Err(Failure::Down)
    }
    let starts = Starts::default();
    let (result, calls) = run(report(fetch(&starts)));
    assert_eq!(result, Err(Failure::Down));
    assert_eq!(starts.take(), [0, 100, 300, 700].map(ms));
    assert_eq!(calls[0].slept(), ms(700));
    assert!(calls[0].delays().eq([100, 200, 400].map(ms)));
    assert_eq!((now(), sleepers()), (ms(700), 0));
}

#[test]
fn a_wait_that_a_server_asked_for_is_no_shorter() {
    #[derive(Debug, PartialEq, Retryable)]
    #[retryable(throttled, retry_after = wait)]
    struct Busy {
        wait: Duration,
    }
    #[retry(attempts = 2, budget = none)]
    async fn fetch(starts: &Starts) -> Result<(), Busy> {
        starts.note();
        Err(Busy { wait: ms(2_000) })
    }
    let starts = Starts::default();
    assert!(run(fetch(&starts)).is_err());
    let starts = starts.take();
    assert!(starts.len() == 2 && starts[1] >= ms(2_000), "{starts:?}");
}

#[test]
fn nothing_sleeps_past_a_deadline() {
    #[retry(attempts = 9, backoff = "fixed", base = "300ms", deadline = "1s", budget = none)]
    async fn fetch(starts: &Starts) -> Result<(), Failure> {
        starts.note();
        Err(Failure::Down)
    }
    let starts = Starts::default();
    let (result, calls) = run(report(fetch(&starts)));
    assert_eq!(result, Err(Failure::Down));
    assert_eq!(starts.take(), [0, 300, 600, 900].map(ms));
    assert_eq!((now(), calls[0].reason()), (ms(900), Some(StopReason::DeadlineTooClose)));
}

#[test]
fn a_deadline_ends_an_attempt() {
    #[retry(deadline = "1s", budget = none)]
    async fn hang(dependency: &Dependency) -> Result<u64, Failure> {
        assert_eq!(remaining(), Some(ms(1_000)));
        dependency.answer().await
    }
    let (result, calls) = run(report(hang(&Dependency::silent(1))));
    assert_eq!((result, now()), (Err(Failure::TooLate), ms(1_000)));
    assert_eq!(calls[0].reason(), Some(StopReason::DeadlineExceeded));
    assert_eq!(sleepers(), 0);
}

#[test]
fn the_sooner_deadline_counts() {
    #[retry(deadline = "1h", budget = none)]
    async fn hang(dependency: &Dependency) -> Result<u64, Failure> {
        dependency.answer().await
    }
    let ended = run(async {
        let outer = within(ms(700), async {
            let inner = within(ms(900), hang(&Dependency::silent(1))).await;
            (inner, now())
        });
        outer.await
    });
    // All three fall together, and the innermost says so first.
    assert_eq!(ended, Ok((Ok(Err(Failure::TooLate)), ms(700))));
    assert_eq!(
        run(within(ms(100), std::future::pending::<()>())),
        Err(DeadlineExceeded::default())
    );
    assert_eq!((now(), sleepers()), (ms(800), 0));
}

#[test]
fn a_deadline_may_be_never_and_may_be_a_point_on_the_real_clock() {
    #[retry(deadline = limit, budget = none)]
    async fn left(limit: Option<Instant>) -> Result<Option<Duration>, Failure> {
        Ok(remaining())
    }
    assert_eq!(run(within(Duration::MAX, async { remaining() })), Ok(None));
    assert_eq!(run(left(None)), Ok(None));
    // As far away on this clock as on that one.
    advance(ms(86_400_000));
    let hour = Duration::from_secs(3600);
    let found = run(left(Some(Instant::now() + hour))).expect("there is time").expect("a deadline");
    assert!(found <= hour && found > hour / 2, "{found:?}");
    let passed = Instant::now().checked_sub(ms(1));
    assert_eq!(run(left(passed)), Err(Failure::TooLate));
}

#[test]
fn an_attempt_that_takes_too_long_is_repeated() {
    #[retry(attempt_timeout = "250ms", backoff = "fixed", base = "50ms", idempotent, budget = none)]
    async fn timed(dependency: &Dependency, starts: &Starts) -> Result<u64, Failure> {
        starts.note();
        dependency.answer().await
    }
    let starts = Starts::default();
    assert_eq!(run(timed(&Dependency::silent(2), &starts)), Ok(7));
    assert_eq!(starts.take(), [0, 300, 600].map(ms));
    let starts = Starts::default();
    assert_eq!(run(timed(&Dependency::silent(9), &starts)), Err(Failure::Slow));
    assert_eq!((starts.take().len(), now()), (3, ms(600 + 850)));
}

#[test]
fn a_hedge_starts_beside_what_is_slow() {
    #[retry(hedge = "200ms", hedge_max = 2, attempts = 3, idempotent, budget = none)]
    async fn hedged(dependency: &Dependency, starts: &Starts) -> Result<u64, Failure> {
        starts.note();
        dependency.answer().await
    }
    let starts = Starts::default();
    assert_eq!(run(hedged(&Dependency::silent(2), &starts)), Ok(7));
    assert_eq!(starts.take(), [0, 200, 400].map(ms));
    assert_eq!((now(), sleepers()), (ms(400), 0));
}

breaker! {
    static ORDERS: Breaker =
        Breaker::new("runtimes-orders").consecutive(2).open_for(Duration::from_secs(30)).jitter(0.0);
}

#[test]
fn a_breaker_opens_and_closes_by_it() {
    #[retry(attempts = 1, breaker = ORDERS, budget = none)]
    async fn fetch(dependency: &Dependency) -> Result<u64, Failure> {
        dependency.answer().await
    }
    start();
    let dependency = Dependency::failing(2);
    for failure in [Failure::Down, Failure::Down, Failure::Open] {
        assert_eq!(run(fetch(&dependency)), Err(failure));
    }
    assert_eq!(ORDERS.opens_in(), Some(Duration::from_secs(30)));
    advance(ms(29_999));
    assert_eq!((run(fetch(&dependency)), ORDERS.state()), (Err(Failure::Open), BreakerState::Open));
    advance(ms(1));
    assert_eq!((run(fetch(&dependency)), dependency.bodies()), (Ok(7), 3));
}

budget! {
    static GIVEN_UP: Budget = Budget::new("runtimes-virtual-given-up").burst(10);
}

#[test]
fn a_call_that_is_given_up_while_it_waits_gets_its_retry_back_and_wakes_nobody() {
    #[retry(backoff = "fixed", base = "10s", budget = GIVEN_UP)]
    async fn patient(dependency: &Dependency) -> Result<u64, Failure> {
        dependency.answer().await
    }
    start();
    let whole = || format!("{:.1}", GIVEN_UP.balance());
    let dependency = Dependency::failing(9);
    {
        let mut call = pin!(patient(&dependency));
        for _ in 0..9 {
            assert_eq!(poll(call.as_mut()), Poll::Pending);
            advance(ms(1_000));
        }
        assert_eq!((dependency.bodies(), sleepers(), whole().as_str()), (1, 1, "9.0"));
        advance(ms(1_000));
        assert_eq!(poll(call.as_mut()), Poll::Pending);
        assert_eq!((dependency.bodies(), sleepers(), whole().as_str()), (2, 1, "8.0"));
    }
    assert_eq!((sleepers(), whole().as_str()), (0, "9.0"));
}

#[test]
fn a_function_that_blocks_waits_by_it() {
    #[retry(blocking, attempts = 3, backoff = "linear", base = "1h", max = "1d", budget = none)]
    fn fetch(starts: &Starts) -> Result<(), Failure> {
        starts.note();
        Err(Failure::Down)
    }
    start();
    let starts = Starts::default();
    assert_eq!(fetch(&starts), Err(Failure::Down));
    let hours = [0, 1, 3].map(|hours| Duration::from_secs(3600 * hours));
    assert_eq!(starts.take(), hours);
}

#[test]
fn no_wait_is_made_for_no_delay() {
    #[retry(attempts = 3, backoff = "none", budget = none)]
    async fn fetch(dependency: &Dependency) -> Result<u64, Failure> {
        dependency.answer().await
    }
    assert_eq!(run(fetch(&Dependency::failing(2))), Ok(7));
    assert_eq!((now(), sleepers()), (Duration::ZERO, 0));
}
