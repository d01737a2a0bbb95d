//! The last error reaches the caller as it is, and `RetryError` adds the record of the call.

use std::{error::Error, marker::PhantomData};

use crate::script::{Bare, Failure, OK, Outcome, Script, T, TM, delays, ms, observed, p, secs, t};
use stormless::{
    AttemptTimeout, Classification, Cut, DeadlineExceeded, RetryError, Retryable, StopReason,
    deadline::within, retry,
};

// R135
#[tokio::test(start_paused = true)]
async fn no_sleep_follows_the_last_attempt_and_the_error_keeps_its_type() {
    #[retry(attempts = 3, backoff = "fixed", base = "1s", budget = none)]
    async fn plain(script: &Script) -> Outcome {
        script.body().await
    }
    let script = Script::new([t(1), t(2), t(3)]);
    let (result, call) = observed(plain(&script)).await;
    assert!(matches!(result, Err(Failure::Unavailable(3))));
    assert_eq!(delays(&call), [secs(1), secs(1)]);
    assert_eq!(script.elapsed(), secs(2), "the call ends with its last body");
}

#[retry(attempts = 3, backoff = "fixed", base = "1s", budget = none)]
async fn wrapped(script: &Script) -> Result<u8, RetryError<Failure>> {
    script.body().await?;
    Ok(7)
}

// R137
#[tokio::test(start_paused = true)]
async fn the_record_is_the_same_for_every_reason() {
    for (last, reason) in [(p(3), StopReason::Permanent), (t(3), StopReason::AttemptsExhausted)] {
        let script = Script::new([t(1), t(2), last.clone()]);
        let (result, call) = observed(wrapped(&script)).await;
        let error = result.unwrap_err();
        assert_eq!(error.get_ref(), last.as_ref().err());
        assert_eq!((error.attempts(), error.slept(), error.reason()), (3, secs(2), reason));
        assert_eq!(error.cut(), None);
        assert_eq!((call.attempts(), call.slept(), call.reason()), (3, secs(2), Some(reason)));
        assert_eq!(error.into_inner(), last.err());
    }
}

#[tokio::test(start_paused = true)]
async fn a_success_is_the_bodys_value() {
    let script = Script::new([T, OK]);
    assert_eq!(wrapped(&script).await, Ok(7));
}

#[tokio::test(start_paused = true)]
async fn a_value_that_is_a_final_failure_comes_back_as_it_is() {
    #[retry(
        attempts = 2,
        budget = none,
        classify_result = |result| result.as_ref().ok().map(|_| Classification::transient())
    )]
    async fn refused(script: &Script) -> Result<u8, RetryError<Failure>> {
        script.body().await?;
        Ok(9)
    }
    let script = Script::new([OK, OK]);
    let (result, call) = observed(refused(&script)).await;
    assert_eq!(result, Ok(9));
    assert_eq!((call.attempts(), call.reason()), (2, Some(StopReason::AttemptsExhausted)));
}

#[tokio::test(start_paused = true)]
async fn slept_counts_the_sleeps_before_attempts_that_started_and_not_the_bodies() {
    #[retry(attempts = 4, backoff = "exponential", base = "1s", budget = none)]
    async fn growing(script: &Script) -> Result<(), RetryError<Failure>> {
        script.body().await
    }
    let script = Script::always(T).taking(secs(10));
    let error = growing(&script).await.unwrap_err();
    assert_eq!((error.attempts(), error.slept()), (4, secs(7)));
    assert_eq!(script.elapsed(), secs(47));
}

#[tokio::test(start_paused = true)]
async fn every_stop_before_a_retry_has_its_reason() {
    let reason_of = async |outcome| wrapped(&Script::new([outcome])).await.unwrap_err().reason();
    assert_eq!(reason_of(p(1)).await, StopReason::Permanent);
    assert_eq!(reason_of(TM).await, StopReason::MaybeExecuted);
    assert_eq!(reason_of(Err(Failure::Stopped)).await, StopReason::Cancelled);
    assert_eq!(reason_of(crate::script::ra(secs(3_600))).await, StopReason::RetryAfterTooLong);
}

#[retry(attempts = 2, attempt_timeout = "1s", deadline = "10s", idempotent, backoff = "fixed",
        base = "1s", budget = none)]
async fn cut(script: &Script<Bare>) -> Result<(), RetryError<Bare>> {
    // The body is typed with the inner error, which cannot say that it was cut, and need not.
    script.body().await?;
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_cut_last_attempt_has_a_cut_in_place_of_an_error() {
    let script = Script::hanging();
    let error = cut(&script).await.unwrap_err();
    assert_eq!(error.get_ref(), None);
    assert_eq!(error.cut(), Some(Cut::AttemptTimeout(AttemptTimeout::default())));
    assert_eq!(error.reason(), StopReason::AttemptsExhausted);
    assert_eq!((error.attempts(), error.slept(), script.elapsed()), (2, secs(1), secs(3)));
    assert_eq!(error.into_inner(), None);
}

#[tokio::test(start_paused = true)]
async fn a_call_cut_before_its_first_attempt_has_neither_attempts_nor_an_error() {
    let script = Script::new([]);
    let error = within(secs(1), async {
        tokio::time::advance(secs(1)).await;
        cut(&script).await
    });
    let error = error.await.unwrap().unwrap_err();
    assert_eq!((error.attempts(), error.slept()), (0, ms(0)));
    assert_eq!(error.reason(), StopReason::DeadlineExceeded);
    assert_eq!(error.get_ref(), None);
    assert_eq!(error.cut(), Some(Cut::DeadlineExceeded(DeadlineExceeded::default())));
    assert_eq!(error.into_inner(), None);
}

#[tokio::test(start_paused = true)]
async fn an_error_after_a_cut_attempt_is_an_error_and_not_a_cut() {
    #[retry(attempts = 2, attempt_timeout = "1s", idempotent, backoff = "none", budget = none)]
    async fn first_hangs(script: &Script<Bare>) -> Result<(), RetryError<Bare>> {
        script.body().await?;
        std::future::pending().await
    }
    let script = Script::new([Ok(()), Err(Bare)]);
    let error = first_hangs(&script).await.unwrap_err();
    assert_eq!((error.get_ref(), error.cut(), error.attempts()), (Some(&Bare), None, 2));
}

#[tokio::test(start_paused = true)]
async fn it_reads_as_the_error_and_the_record() {
    let error = wrapped(&Script::new([t(1), t(2), t(3)])).await.unwrap_err();
    let message = error.to_string();
    assert!(message.starts_with("unavailable, number 3 (after 3 attempts: "), "{message}");
    let error = cut(&Script::hanging()).await.unwrap_err();
    assert!(error.to_string().starts_with(&AttemptTimeout::default().to_string()), "{error}");
}

#[derive(Debug, thiserror::Error, Retryable)]
#[error("the store did not answer")]
#[retryable(transient)]
struct Store(#[source] Refused);

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("refused")]
struct Refused;

fn chain(error: &(dyn Error + 'static)) -> Vec<String> {
    std::iter::successors(Some(error), |error| (*error).source()).map(ToString::to_string).collect()
}

#[tokio::test(start_paused = true)]
async fn a_chain_of_sources_says_everything_once() {
    #[retry(attempts = 1, budget = none)]
    async fn store() -> Result<(), RetryError<Store>> {
        Err(Store(Refused))
    }
    let error = store().await.unwrap_err();
    assert_eq!(
        chain(&error),
        ["the store did not answer (after 1 attempt: no attempts left)", "refused"]
    );
    assert_eq!(error.source().unwrap().downcast_ref(), Some(&Refused));
    let error = cut(&Script::hanging()).await.unwrap_err();
    assert_eq!(chain(&error).len(), 1, "{:?}", chain(&error));
}

#[tokio::test(start_paused = true)]
async fn it_is_classified_by_the_error_inside_or_by_the_cut() {
    let transient = wrapped(&Script::always(T)).await.unwrap_err();
    assert_eq!(transient.classify(), Failure::Unavailable(0).classify());
    assert_eq!(transient.label(), "Unavailable");
    let timed_out = cut(&Script::hanging()).await.unwrap_err();
    assert_eq!(timed_out.classify(), AttemptTimeout::default().classify());
    assert_eq!(timed_out.label(), "attempt_timeout");
    assert!(RetryError::<Bare>::deadline_exceeded().is_some(), "it can always say so");
}

/// Neither `Debug`, `Display`, `Error`, `Send` nor `'static`.
struct Plain<'a>(&'a str, PhantomData<*const ()>);

impl Retryable for Plain<'_> {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_but_retryable_is_asked_of_the_error() {
    #[retry(budget = none)]
    async fn lean(text: &str) -> Result<PhantomData<*const ()>, RetryError<Plain<'_>>> {
        Err(Plain(text, PhantomData))
    }
    let text = String::from("lent");
    let error = lean(&text).await.map_err(RetryError::into_inner).unwrap_err();
    assert_eq!(error.map(|plain| plain.0), Some("lent"));
}
