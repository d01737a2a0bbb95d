//! What an inherited deadline does to an attempt, by what its error type can say.

use std::{future::Future, sync::Mutex, time::Duration};

use crate::script::{Bare, Failure, OK, Outcome, Script, T, ms, observed, secs};
use stormless::{
    RetryError, Retryable, StopReason,
    deadline::{remaining, within},
    report, retry,
    testing::isolated,
};

#[retry(budget = none)]
async fn says_how(script: &Script) -> Outcome {
    script.body().await
}

#[retry(budget = none)]
async fn cannot_say(script: &Script<Bare>) -> Outcome<Bare> {
    script.body().await
}

#[retry(budget = none, classify = Retryable::classify)]
async fn classified(script: &Script) -> Outcome {
    script.body().await
}

#[retry(budget = none)]
async fn wrapped(script: &Script<Bare>) -> Result<(), RetryError<Bare>> {
    script.body().await
}

/// Opens a deadline of two seconds and reports what the inner call ended in, and when.
#[retry(deadline = "2s", uncut, attempts = 1, budget = none)]
async fn open<F: Future>(inner: F) -> Result<F::Output, Bare> {
    Ok(inner.await)
}

#[tokio::test(start_paused = true)]
async fn it_cuts_where_the_error_type_says_how() {
    let script = Script::hanging();
    let (result, call) = observed(within(secs(2), says_how(&script))).await;
    assert_eq!(result.unwrap(), Err(Failure::Late));
    assert_eq!(script.elapsed(), secs(2));
    assert_eq!((call.attempts(), call.reason()), (1, Some(StopReason::DeadlineExceeded)));

    let script = Script::hanging();
    let result = open(says_how(&script)).await.unwrap();
    assert_eq!((result, script.elapsed()), (Err(Failure::Late), secs(2)));
}

#[tokio::test(start_paused = true)]
async fn it_does_not_cut_where_the_error_type_cannot_say() {
    let script = Script::new([Err(Bare)]).taking(secs(5));
    let result = open(cannot_say(&script)).await.unwrap();
    assert_eq!(result, Err(Bare));
    assert_eq!((script.bodies(), script.elapsed()), (1, secs(5)), "yet no retry followed");

    let script = Script::new([Err(Bare)]).taking(secs(5));
    let result = within(secs(2), cannot_say(&script)).await;
    assert!(result.is_err(), "who opened it cuts");
    assert_eq!(script.elapsed(), secs(2));
}

#[tokio::test(start_paused = true)]
async fn it_does_not_cut_with_a_classifier() {
    let script = Script::new([T]).taking(secs(5));
    let result = open(classified(&script)).await.unwrap();
    assert_eq!(result, T, "though the type could say it");
    assert_eq!((script.bodies(), script.elapsed()), (1, secs(5)));
}

#[tokio::test(start_paused = true)]
async fn it_cuts_a_function_that_returns_a_retry_error() {
    let script = Script::hanging();
    let error = open(wrapped(&script)).await.unwrap().unwrap_err();
    assert_eq!(script.elapsed(), secs(2));
    assert_eq!(error.reason(), StopReason::DeadlineExceeded);
    assert_eq!(error.get_ref(), None);
}

#[retry(backoff = "fixed", base = "1s", attempts = 9, budget = none, nested = "independent")]
async fn steady(script: &Script<Bare>) -> Outcome<Bare> {
    script.body().await
}

#[tokio::test(start_paused = true)]
async fn it_bounds_sleeps_and_retries_whatever_the_error_type() {
    let script = Script::always(Err(Bare));
    let (result, call) = observed(within(ms(2_500), steady(&script))).await;
    assert_eq!(result.unwrap(), Err(Bare));
    assert_eq!(script.starts(), [0, 1, 2].map(secs));
    assert_eq!(script.elapsed(), secs(2), "no sleep past it");
    assert_eq!(call.reason(), Some(StopReason::DeadlineTooClose));
}

#[tokio::test(start_paused = true)]
async fn a_passed_one_gives_the_cut_error_and_no_body() {
    let script = Script::new([]);
    let late = within(secs(1), async {
        // The time passes without a chance to be cut.
        tokio::time::advance(secs(1)).await;
        observed(says_how(&script)).await
    });
    // Whoever opened it would cut first if it looked; the inner call answers in the same poll.
    let (result, call) = late.await.unwrap();
    assert_eq!(result, Err(Failure::Late));
    assert_eq!((call.attempts(), call.reason()), (0, Some(StopReason::DeadlineExceeded)));
    assert_eq!(call.failures(), []);
}

#[tokio::test(start_paused = true)]
async fn a_passed_one_gives_one_body_and_nothing_after_it_where_it_cannot_be_said() {
    let script = Script::new([Err(Bare)]);
    let late = within(secs(1), async {
        tokio::time::advance(secs(1)).await;
        observed(cannot_say(&script)).await
    });
    let (result, call) = late.await.unwrap();
    assert_eq!(result, Err(Bare));
    assert_eq!((call.attempts(), call.reason()), (1, Some(StopReason::DeadlineExceeded)));
}

#[derive(Clone, Debug, PartialEq, thiserror::Error, Retryable)]
enum OwnTimeout {
    #[error("the attempt timed out")]
    #[retryable(attempt_timeout)]
    TimedOut,
}

#[retry(attempt_timeout = "3s", attempts = 5, idempotent, budget = none, nested = "independent")]
async fn own_timeout(script: &Script<OwnTimeout>) -> Outcome<OwnTimeout> {
    script.body().await
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_it_cannot_cut_goes_on_until_its_own_timeout_at_most() {
    let script = Script::hanging();
    let (result, calls) = report(open(own_timeout(&script))).await;
    assert_eq!(result.unwrap(), Err(OwnTimeout::TimedOut));
    assert_eq!((script.bodies(), script.elapsed()), (1, secs(3)));
    assert_eq!(calls[0].reason(), Some(StopReason::DeadlineExceeded), "no retry after it");
}

type Seen = Mutex<Vec<Duration>>;

fn look(seen: &Seen) {
    seen.lock().unwrap().push(remaining().unwrap_or(Duration::MAX));
}

#[retry(deadline = "2s", budget = none)]
async fn outermost(seen: &Seen) -> Outcome {
    look(seen);
    tokio::time::sleep(ms(500)).await;
    middle(seen).await
}

#[retry(deadline = "10s", budget = none)]
async fn middle(seen: &Seen) -> Outcome {
    look(seen);
    tokio::time::sleep(ms(300)).await;
    innermost(seen).await?;
    narrower(seen).await?;
    look(seen);
    aside(seen).await
}

#[retry(budget = none)]
async fn innermost(seen: &Seen) -> Outcome {
    look(seen);
    Ok(())
}

#[retry(deadline = "1s", budget = none)]
async fn narrower(seen: &Seen) -> Outcome {
    look(seen);
    Ok(())
}

#[retry(deadline = none, budget = none)]
async fn aside(seen: &Seen) -> Outcome {
    look(seen);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn the_outermost_sets_the_total_and_inner_calls_inherit_what_is_left() {
    isolated(async {
        let seen = Seen::default();
        assert_eq!(outermost(&seen).await, OK);
        let seen = seen.into_inner().unwrap();
        // `middle` asks for more than is left; `narrower` for less, and for itself alone.
        let expected = [2_000, 1_500, 1_200, 1_000, 1_200].map(ms);
        assert_eq!(seen[..5], expected);
        assert_eq!(seen[5], Duration::MAX, "`deadline = none` steps out");
        assert_eq!(remaining(), None);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_steps_out_of_a_deadline_is_not_cut_by_it() {
    #[retry(deadline = none, backoff = "fixed", base = "3s", budget = none, nested = "independent")]
    async fn clean_up(script: &Script) -> Outcome {
        script.body().await
    }
    let script = Script::new([T, OK]).taking(secs(4));
    let result = open(clean_up(&script)).await.unwrap();
    assert_eq!((result, script.elapsed()), (OK, secs(11)));
}
