//! `on_retry` sees each failure that is followed by another attempt, before the wait, and nothing else.

use std::{sync::Mutex, time::Duration};

use crate::script::{
    Bare, Failure, OK, Outcome, Script, T, TM, delays, ms, observed, p, ra, row, secs, t,
};
use stormless::{
    Classification, Kind, RetryError, RetryEvent, StopReason, Warning, retry, testing::isolated,
    warnings,
};
use tokio::time::Instant;

#[derive(Clone, Debug, PartialEq)]
struct Seen {
    error: Option<Failure>,
    attempt: u32,
    delay: Duration,
    label: &'static str,
    kind: Kind,
    at: Duration,
}

struct Log {
    begun: Instant,
    seen: Mutex<Vec<Seen>>,
}

impl Log {
    fn new() -> Self {
        Self { begun: Instant::now(), seen: Mutex::default() }
    }

    fn note(&self, event: &RetryEvent<'_, Failure>) {
        assert_eq!(event.site(), "calls::on_retry::told");
        self.seen.lock().unwrap().push(Seen {
            error: event.error().cloned(),
            attempt: event.attempt(),
            delay: event.delay(),
            label: event.label(),
            kind: event.classification().kind(),
            at: self.begun.elapsed(),
        });
    }

    fn errors(&self) -> Vec<Failure> {
        self.seen.lock().unwrap().iter().filter_map(|seen| seen.error.clone()).collect()
    }
}

#[retry(attempts = 3, backoff = "exponential", base = "1s", budget = none,
        on_retry = |event| log.note(event))]
async fn told(script: &Script, log: &Log) -> Outcome {
    script.body().await
}

// R137
#[tokio::test(start_paused = true)]
async fn it_sees_every_failure_but_the_last_once_and_in_order() {
    for last in [p(3), t(3)] {
        let (script, log) = (Script::new([t(1), t(2), last.clone()]), Log::new());
        let (result, call) = observed(told(&script, &log)).await;
        assert_eq!(result, last);
        assert_eq!(call.attempts(), 3);
        assert_eq!(log.errors(), [Failure::Unavailable(1), Failure::Unavailable(2)]);
    }
}

#[tokio::test(start_paused = true)]
async fn it_is_told_the_error_the_attempt_and_the_delay_before_the_wait() {
    let (script, log) = (Script::new([t(1), ra(secs(8)), OK]).taking(ms(100)), Log::new());
    let (result, call) = observed(told(&script, &log)).await;
    assert_eq!(result, OK);
    let seen = log.seen.into_inner().unwrap();
    let first = Seen {
        error: t(1).err(),
        attempt: 1,
        delay: secs(1),
        label: "Unavailable",
        kind: Kind::Transient,
        at: ms(100),
    };
    assert_eq!(seen[0], first);
    let second = Seen {
        error: ra(secs(8)).err(),
        attempt: 2,
        delay: delays(&call)[1],
        label: "Busy",
        kind: Kind::Throttled,
        at: ms(1_200),
    };
    assert_eq!(seen[1..], [second]);
    // The delay that it was told, with a hint's jitter, is the one that was slept.
    assert_eq!(script.starts()[2], ms(1_200) + seen[1].delay);
}

#[tokio::test(start_paused = true)]
async fn it_sees_nothing_where_no_retry_follows() {
    for outcome in [OK, p(1), TM, ra(secs(3_600))] {
        let (script, log) = (Script::new([outcome.clone()]), Log::new());
        assert_eq!(told(&script, &log).await, outcome);
        assert_eq!(log.errors(), []);
    }
}

#[tokio::test(start_paused = true)]
async fn it_is_told_the_error_of_a_cut_where_there_is_one() {
    #[retry(attempts = 2, attempt_timeout = "1s", idempotent, backoff = "none", budget = none,
            on_retry = |event: &RetryEvent<'_, Failure>| {
                seen.lock().unwrap().push((event.error().cloned(), event.label()));
            })]
    async fn plain(seen: &Mutex<Vec<(Option<Failure>, &'static str)>>) -> Outcome {
        std::future::pending().await
    }
    #[retry(attempts = 2, attempt_timeout = "1s", idempotent, backoff = "none", budget = none,
            on_retry = |event| seen.lock().unwrap().push((event.error().cloned(), event.label())))]
    async fn wrapped(
        seen: &Mutex<Vec<(Option<Bare>, &'static str)>>,
    ) -> Result<(), RetryError<Bare>> {
        std::future::pending().await
    }
    let seen = Mutex::default();
    assert_eq!(plain(&seen).await, Err(Failure::TimedOut));
    assert_eq!(*seen.lock().unwrap(), [(Some(Failure::TimedOut), "attempt_timeout")]);
    let seen = Mutex::default();
    assert!(wrapped(&seen).await.is_err());
    assert_eq!(*seen.lock().unwrap(), [(None, "attempt_timeout")], "there is no error of ours");
}

#[tokio::test(start_paused = true)]
async fn an_ok_that_is_a_failure_has_no_error_to_tell() {
    #[retry(backoff = "none", budget = none, on_retry = |event| seen.lock().unwrap().push(
                (event.attempt(), event.error().is_none(), event.label())),
            classify_result = |result| matches!(result, Ok(503)).then(Classification::throttled))]
    async fn status(
        codes: &Mutex<Vec<u16>>,
        seen: &Mutex<Vec<(u32, bool, &'static str)>>,
    ) -> Result<u16, Failure> {
        Ok(codes.lock().unwrap().remove(0))
    }
    let (codes, seen) = (Mutex::new(vec![503, 503, 200]), Mutex::default());
    assert_eq!(status(&codes, &seen).await, Ok(200));
    assert_eq!(*seen.lock().unwrap(), [(1, true, "_OTHER"), (2, true, "_OTHER")]);
    let codes = Mutex::new(vec![503; 3]);
    assert_eq!(status(&codes, &seen).await, Ok(503), "a final one is returned unchanged");
}

// R123
#[tokio::test(start_paused = true)]
async fn a_hook_that_panics_is_contained_and_not_hidden() {
    #[retry(attempts = 3, backoff = "fixed", base = "1s", budget = none,
            on_retry = |event| assert!(event.attempt() > 1, "on purpose"))]
    async fn hooked(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        let script = Script::new([T, T, OK]);
        let (result, call) = observed(hooked(&script)).await;
        assert_eq!(result, OK);
        assert_eq!((script.starts(), call.attempts()), ([0, 1, 2].map(secs).to_vec(), 3));
        let site = "calls::on_retry::hooked";
        assert_eq!(row(site).hook_panics(), 1);
        assert_eq!(row(site).stops(StopReason::AttemptsExhausted), 0);
        assert!(warnings().contains(&Warning::HookPanicked { site, hook: "on_retry" }));
    })
    .await;
}
