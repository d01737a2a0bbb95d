//! When a running attempt is ended, how that is reported, and what follows.

use std::time::Duration;

use crate::script::{
    Bare, Failure, OK, Outcome, P, Script, T, assert_untouched, ms, observed, row, secs,
};
use stormless::{
    AttemptTimeout, Budget, Classification, Cut, DeadlineExceeded, FailedAttempt, Kind, StopReason,
    budget, current, deadline::within, retry, testing::isolated,
};

budget! {
    static CUT: Budget = Budget::new("cuts-orders");
}

// R106
#[tokio::test(start_paused = true)]
async fn an_attempt_timeout_is_for_each_attempt_and_the_deadline_for_all() {
    #[retry(idempotent, attempt_timeout = "3s", deadline = "10s", backoff = "fixed", base = "1s",
            attempts = 5, budget = none)]
    async fn five(script: &Script) -> Outcome {
        script.body().await
    }
    #[retry(idempotent, attempt_timeout = "3s", deadline = "10s", backoff = "fixed", base = "1s",
            attempts = 2, budget = none)]
    async fn two(script: &Script) -> Outcome {
        script.body().await
    }
    let script = Script::hanging();
    let (result, call) = observed(five(&script)).await;
    assert_eq!(result, Err(Failure::Late));
    assert_eq!(script.starts(), [0, 4, 8].map(secs));
    assert_eq!(script.elapsed(), secs(10));
    assert_eq!(call.reason(), Some(StopReason::DeadlineExceeded));
    let labels: Vec<_> = call.failures().iter().map(FailedAttempt::label).collect();
    assert_eq!(labels, ["attempt_timeout", "attempt_timeout", "deadline_exceeded"]);

    let script = Script::hanging();
    let (result, call) = observed(two(&script)).await;
    assert_eq!(result, Err(Failure::TimedOut));
    assert_eq!(script.starts(), [0, 4].map(secs));
    assert_eq!(script.elapsed(), secs(7));
    assert_eq!(call.reason(), Some(StopReason::AttemptsExhausted));
}

#[retry(attempt_timeout = "3s", deadline = "2s", budget = CUT)]
async fn longer_than_the_deadline(script: &Script) -> Outcome {
    script.body().await
}

#[tokio::test(start_paused = true)]
async fn an_attempt_timeout_is_cut_to_what_remains_of_the_deadline() {
    isolated(async {
        let script = Script::hanging();
        let (result, call) = observed(longer_than_the_deadline(&script)).await;
        assert_eq!(result, Err(Failure::Late));
        assert_eq!(script.elapsed(), secs(2));
        assert_eq!(call.reason(), Some(StopReason::DeadlineExceeded));
        assert_untouched("cuts-orders");
    })
    .await;
}

#[retry(attempt_timeout = "1s", budget = CUT)]
async fn timed(script: &Script) -> Outcome {
    script.body().await
}

#[tokio::test(start_paused = true)]
async fn a_timed_out_attempt_may_have_been_executed() {
    isolated(async {
        let script = Script::hanging();
        let (result, call) = observed(timed(&script)).await;
        assert_eq!(result, Err(Failure::TimedOut));
        assert_eq!((script.bodies(), script.elapsed()), (1, secs(1)));
        assert_eq!(call.reason(), Some(StopReason::MaybeExecuted));
        assert_eq!(call.failures()[0].classification().kind(), Kind::Timeout);
        assert_untouched("cuts-orders");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_ends_in_time_is_not_cut() {
    let script = Script::new([OK]).taking(ms(999));
    assert_eq!(timed(&script).await, OK);
    assert_eq!(script.elapsed(), ms(999));
}

#[retry(attempts = 3, attempt_timeout = "1s", idempotent, backoff = "none", budget = none)]
async fn hangs_at_first(script: &Script) -> Outcome {
    if !current().is_some_and(|attempt| attempt.is_retry()) {
        std::future::pending::<()>().await;
    }
    script.body().await
}

#[tokio::test(start_paused = true)]
async fn what_follows_a_cut_attempt_is_judged_by_itself() {
    let script = Script::new([OK]);
    let (result, call) = observed(hangs_at_first(&script)).await;
    assert_eq!((result, call.attempts(), call.reason()), (OK, 2, None));
    let script = Script::new([P]);
    let (result, call) = observed(hangs_at_first(&script)).await;
    assert_eq!((result, call.attempts()), (P, 2));
    assert_eq!(call.reason(), Some(StopReason::Permanent));
}

#[tokio::test(start_paused = true)]
async fn only_a_cut_of_ours_keeps_its_reason_and_not_a_value_that_looks_like_one() {
    isolated(async {
        for value in [Failure::Late, Failure::TimedOut] {
            let script = Script::new([Err(value.clone())]);
            let (result, call) = observed(longer_than_the_deadline(&script)).await;
            assert_eq!(result, Err(value));
            assert_eq!(call.reason(), Some(StopReason::MaybeExecuted), "classified as any other");
        }
        let script = Script::new([Err(Failure::Late)]).taking(secs(1));
        let (_, call) = observed(longer_than_the_deadline(&script)).await;
        assert_eq!(call.reason(), Some(StopReason::MaybeExecuted));
    })
    .await;
}

/// Has a `From` for each cut and a word of its own for neither in `Retryable`.
#[derive(Debug, PartialEq)]
enum Foreign {
    Own,
    Cut(Cut),
}

impl From<AttemptTimeout> for Foreign {
    fn from(cut: AttemptTimeout) -> Self {
        Self::Cut(cut.into())
    }
}

impl From<DeadlineExceeded> for Foreign {
    fn from(cut: DeadlineExceeded) -> Self {
        Self::Cut(cut.into())
    }
}

#[tokio::test(start_paused = true)]
async fn a_classifier_is_not_asked_about_a_cut_of_ours() {
    #[retry(attempt_timeout = "1s", deadline = "10s", budget = none, classify = |error| match error {
        Foreign::Own => Classification::transient(),
        Foreign::Cut(_) => panic!("asked about {error:?}"),
    })]
    async fn classified(time: Duration) -> Result<(), Foreign> {
        tokio::time::sleep(time).await;
        Err(Foreign::Own)
    }
    let (result, call) = observed(classified(secs(2))).await;
    assert_eq!(result, Err(Foreign::Cut(AttemptTimeout::default().into())));
    assert_eq!(call.reason(), Some(StopReason::MaybeExecuted));
    let (result, call) = observed(within(ms(500), classified(secs(2)))).await;
    assert_eq!(result.unwrap(), Err(Foreign::Cut(DeadlineExceeded::default().into())));
    assert_eq!(call.reason(), Some(StopReason::DeadlineExceeded));
    let (result, call) = observed(classified(ms(1))).await;
    assert_eq!(result, Err(Foreign::Own));
    assert_eq!(call.reason(), Some(StopReason::AttemptsExhausted));
}

#[derive(Debug, PartialEq)]
enum Told {
    Bare,
    Cut(Cut),
}

impl From<Bare> for Told {
    fn from(_: Bare) -> Self {
        Self::Bare
    }
}

fn transient(_: &Told) -> Classification {
    Classification::transient()
}

// `cut_error` is what makes this type fit for a timeout, a deadline and an inherited deadline.
#[retry(attempt_timeout = "1s", budget = none, classify = transient, cut_error = Told::Cut)]
async fn told(time: Duration) -> Result<(), Told> {
    tokio::time::sleep(time).await;
    Err(Bare)?
}

#[tokio::test(start_paused = true)]
async fn cut_error_makes_the_error_of_each_cut() {
    #[retry(deadline = "2s", budget = none, classify = transient, cut_error = |cut| {
        assert!(matches!(cut, Cut::DeadlineExceeded(_)));
        Told::Cut(cut)
    })]
    async fn by_closure(time: Duration) -> Result<(), Told> {
        tokio::time::sleep(time).await;
        Ok(())
    }
    assert_eq!(told(secs(2)).await, Err(Told::Cut(Cut::AttemptTimeout(AttemptTimeout::default()))));
    let inherited = within(ms(700), told(secs(2))).await.unwrap();
    assert_eq!(inherited, Err(Told::Cut(Cut::DeadlineExceeded(DeadlineExceeded::default()))));
    assert_eq!(told(ms(1)).await, Err(Told::Bare));
    assert!(matches!(by_closure(secs(3)).await, Err(Told::Cut(_))));
    assert_eq!(by_closure(secs(1)).await, Ok(()));
}

#[tokio::test(start_paused = true)]
async fn uncut_stops_retries_and_sleeps_and_lets_the_attempt_end() {
    #[retry(deadline = "2s", uncut, backoff = "fixed", base = "1s", attempts = 9, budget = none)]
    async fn uncut(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        // Its error type could say that it was cut, but the flag wins.
        let script = Script::new([T]).taking(secs(5));
        assert_eq!(uncut(&script).await, T);
        assert_eq!(script.elapsed(), secs(5));
        assert_eq!(row("deadlines::cuts::uncut").stops(StopReason::DeadlineExceeded), 1);
        let script = Script::new([OK]).taking(secs(5));
        assert_eq!(uncut(&script).await, OK, "a late success is a success");
    })
    .await;
}

#[retry(budget = none, attempts = 1, attempt_timeout = "50ms")]
async fn never_out_of_work() -> Result<(), Failure> {
    loop {
        tokio::task::consume_budget().await;
    }
}

#[retry(budget = none, attempts = 1)]
async fn never_out_of_work_below() -> Result<(), Failure> {
    never_out_of_work().await
}

#[retry(budget = none, attempts = 1, deadline = "20ms")]
async fn around_what_is_never_out_of_work() -> Result<(), Failure> {
    never_out_of_work_below().await
}

/// The runtime grants a task so much work between two turns, and no timer answers after that; the
/// timers of this crate are seen all the same. On the real clock: a busy task lets no virtual time pass.
#[tokio::test]
async fn a_body_that_is_never_out_of_work_is_cut_too() {
    assert!(matches!(never_out_of_work().await, Err(Failure::TimedOut)));
    assert!(matches!(around_what_is_never_out_of_work().await, Err(Failure::Late)));
}
