//! What attempt timeouts leave behind, and the last attempt that has none.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::script::{Failure, OK, Outcome, Script, ms, observed, secs};
use futures_util::FutureExt;
use stormless::{Classification, Cut, RetryError, Retryable, StopReason, retry};

#[retry(
    idempotent,
    attempts = 3,
    backoff = "fixed",
    base = "1s",
    attempt_timeout = "2s",
    deadline = "20s",
    last_attempt_untimed,
    budget = none
)]
async fn patient(script: &Script) -> Outcome {
    script.body().await
}

#[tokio::test(start_paused = true)]
async fn the_last_attempt_may_use_all_that_is_left() {
    let script = Script::new([OK; 3]).taking(secs(10));
    let (result, call) = observed(patient(&script)).await;
    assert_eq!(result, OK);
    assert_eq!(script.starts(), [0, 3, 6].map(secs), "the others have their timeout");
    assert_eq!((script.elapsed(), call.attempts()), (secs(16), 3));

    let script = Script::hanging();
    let (result, call) = observed(patient(&script)).await;
    assert_eq!((result, script.elapsed()), (Err(Failure::Late), secs(20)));
    assert_eq!((call.attempts(), call.reason()), (3, Some(StopReason::DeadlineExceeded)));
}

#[tokio::test(start_paused = true)]
async fn without_the_flag_it_is_timed_like_the_others() {
    #[retry(idempotent, attempts = 3, backoff = "fixed", base = "1s", attempt_timeout = "2s",
            deadline = "20s", budget = none)]
    async fn strict(script: &Script) -> Outcome {
        script.body().await
    }
    let script = Script::hanging();
    let (result, call) = observed(strict(&script)).await;
    assert_eq!((result, script.elapsed()), (Err(Failure::TimedOut), secs(8)));
    assert_eq!(call.reason(), Some(StopReason::AttemptsExhausted));
}

#[tokio::test(start_paused = true)]
async fn the_first_attempt_is_untimed_where_it_is_the_last() {
    const ONCE: u32 = 1;
    #[retry(attempts = ONCE, attempt_timeout = "2s", deadline = "20s", last_attempt_untimed)]
    async fn once(script: &Script) -> Outcome {
        script.body().await
    }
    // There is time for one attempt of this length, and so no more than one.
    #[retry(
        attempts = 3,
        time_per_attempt = "15s",
        attempt_timeout = "2s",
        deadline = "20s",
        last_attempt_untimed,
        idempotent
    )]
    async fn time_for_one(script: &Script) -> Outcome {
        script.body().await
    }
    let script = Script::new([OK]).taking(secs(10));
    assert_eq!((once(&script).await, script.elapsed()), (OK, secs(10)));
    let script = Script::new([OK]).taking(secs(10));
    assert_eq!((time_for_one(&script).await, script.elapsed()), (OK, secs(10)));
}

#[tokio::test(start_paused = true)]
async fn the_last_for_which_there_was_time_is_the_last() {
    #[retry(
        attempts = 9,
        time_per_attempt = "8s",
        backoff = "fixed",
        base = "1s",
        attempt_timeout = "2s",
        deadline = "20s",
        last_attempt_untimed,
        idempotent
    )]
    async fn time_for_two(script: &Script) -> Outcome {
        script.body().await
    }
    let script = Script::new([OK; 2]).taking(secs(10));
    assert_eq!(time_for_two(&script).await, OK);
    assert_eq!((script.starts(), script.elapsed()), ([0, 3].map(secs).to_vec(), secs(13)));
}

#[tokio::test(start_paused = true)]
async fn every_way_to_tell_of_the_deadline_serves() {
    #[retry(attempts = 2, backoff = "none", attempt_timeout = "1s", deadline = "5s",
            last_attempt_untimed, idempotent, budget = none)]
    async fn wrapped(script: &Script) -> Result<(), RetryError<Failure>> {
        script.body().await
    }
    #[retry(attempts = 2, backoff = "none", attempt_timeout = "1s", deadline = "5s",
            last_attempt_untimed, idempotent, budget = none, cut_error = |cut| cut,
            classify = Retryable::classify)]
    async fn by_function(script: &Script) -> Result<(), Cut> {
        let _ = script.body().await;
        Ok(())
    }
    let script = Script::hanging();
    let error = wrapped(&script).await.unwrap_err();
    assert!(matches!(error.cut(), Some(Cut::DeadlineExceeded(_))));
    assert_eq!((error.attempts(), script.elapsed()), (2, secs(5)));
    let script = Script::hanging();
    let cut = by_function(&script).await.unwrap_err();
    assert_eq!(cut.classify(), Classification::timeout());
    assert!(matches!(cut, Cut::DeadlineExceeded(_)));
    assert_eq!(script.elapsed(), secs(5));
}

/// Says when it is dropped.
struct Guard<'a>(&'a AtomicU32);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test(start_paused = true)]
async fn a_timed_out_attempt_is_gone_before_the_wait() {
    #[retry(attempts = 2, backoff = "fixed", base = "10s", attempt_timeout = "1s", idempotent,
            budget = none)]
    async fn holding(dropped: &AtomicU32) -> Outcome {
        let _held = Guard(dropped);
        std::future::pending().await
    }
    let dropped = AtomicU32::new(0);
    let mut call = Box::pin(holding(&dropped));
    assert!(call.as_mut().now_or_never().is_none());
    tokio::time::advance(ms(1_001)).await;
    assert_eq!(dropped.load(Ordering::Relaxed), 0);
    assert!(call.as_mut().now_or_never().is_none(), "it waits for its retry");
    assert_eq!(dropped.load(Ordering::Relaxed), 1, "and holds nothing of the first attempt");
    assert_eq!(call.await, Err(Failure::TimedOut));
    assert_eq!(dropped.load(Ordering::Relaxed), 2);
}
