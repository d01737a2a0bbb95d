//! Calls, attempts and refusals: each is counted once.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use measured::Board;
use stormless::{Budget, Classification, Retryable, StopReason, control, retry, testing::isolated};

#[derive(Debug)]
enum Trouble {
    Passing,
    Lasting,
}

impl Retryable for Trouble {
    fn classify(&self) -> Classification {
        match self {
            Self::Passing => Classification::transient(),
            Self::Lasting => Classification::permanent(),
        }
    }

    fn label(&self) -> &'static str {
        match self {
            Self::Passing => "Passing",
            Self::Lasting => "Lasting",
        }
    }
}

/// Fails so often, then succeeds.
#[retry(backoff = "fixed", base = "250ms", attempts = 3, name = "scripted")]
async fn scripted(failures: &AtomicU32) -> Result<(), Trouble> {
    match failures.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)) {
        Ok(_) => Err(Trouble::Passing),
        Err(_) => Ok(()),
    }
}

#[retry(budget = none, name = "lasting")]
async fn lasting() -> Result<(), Trouble> {
    Err(Trouble::Lasting)
}

#[retry(budget = none, name = "hanging")]
async fn hanging() -> Result<(), Trouble> {
    std::future::pending().await
}

#[retry(budget = none, name = "panicking")]
async fn panicking() -> Result<(), Trouble> {
    // As a panic does, without its message.
    std::panic::resume_unwind(Box::new(()))
}

#[retry(backoff = "none", budget = none, attempts = 3, inner = "suppress", name = "outer")]
async fn outer(failures: &AtomicU32) -> Result<(), Trouble> {
    scripted(failures).await
}

#[retry(backoff = "none", budget = "twice", attempts = "unlimited", deadline = none, inner = "allow", name = "poor")]
async fn poor() -> Result<(), Trouble> {
    Err(Trouble::Passing)
}

stormless::budget! { static TWICE: Budget = Budget::new("twice").burst(2); }

#[retry(
    backoff = "none", budget = none, hedge = "50ms", idempotent, name = "hedged"
)]
async fn hedged(slow: &AtomicU32) -> Result<(), Trouble> {
    if slow.fetch_add(1, Ordering::Relaxed) == 0 {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    Ok(())
}

// R143
#[tokio::test(start_paused = true)]
async fn each_call_and_each_attempt_is_counted_once() {
    for counting in [false, true] {
        isolated(async {
            control::count_successes(counting);
            let (_installed, board) = Board::install();
            let _failed = scripted(&AtomicU32::new(u32::MAX)).await;
            let told = board.read();
            assert_eq!(told.counted("calls_total"), [("scripted failure_after_retry", 1)]);
            assert_eq!(told.counted("attempts_total"), [("scripted", 3)]);
            assert_eq!(told.counted("attempt_failures_total"), [("scripted transient Passing", 3)]);
            assert_eq!(
                told.counted("retries_refused_total"),
                [("scripted (own) scripted attempts_exhausted", 1)]
            );
        })
        .await;
    }
}

// R143
#[tokio::test(start_paused = true)]
async fn outcomes_sum_to_calls_and_reasons_to_failed_calls() {
    isolated(async {
        let (_installed, board) = Board::install();
        for failures in [0, 0, 1, 9] {
            let _result = scripted(&AtomicU32::new(failures)).await;
        }
        let _result = lasting().await;
        let cancelled = tokio::time::timeout(Duration::from_secs(1), hanging()).await;
        assert!(cancelled.is_err());
        // Dropped in the sleep before its first retry.
        let left = AtomicU32::new(9);
        let asleep = tokio::time::timeout(Duration::from_millis(100), scripted(&left)).await;
        assert!(asleep.is_err());
        let panicked = tokio::task::unconstrained(catching(panicking())).await;
        assert!(panicked.is_err());
        let _result = poor().await;
        let _result = outer(&AtomicU32::new(9)).await;

        let told = board.read();
        assert_eq!(
            told.counted("calls_total"),
            [
                ("hanging failure", 1),
                ("lasting failure", 1),
                ("outer failure_after_retry", 1),
                ("panicking failure", 1),
                ("poor failure_after_retry", 1),
                // One was dropped, and three ran inside another's attempts.
                ("scripted failure", 4),
                ("scripted failure_after_retry", 1),
                ("scripted success", 2),
                ("scripted success_after_retry", 1),
            ]
        );
        assert_eq!(
            told.counted("retries_refused_total"),
            [
                ("hanging none cancelled", 1),
                ("lasting none permanent", 1),
                ("outer none attempts_exhausted", 1),
                ("panicking none panicked", 1),
                ("poor twice budget_exhausted", 1),
                ("scripted (own) scripted attempts_exhausted", 1),
                ("scripted (own) scripted cancelled", 1),
                ("scripted (own) scripted nested", 3),
            ]
        );
        let failed: u64 = told
            .counted("calls_total")
            .iter()
            .filter(|one| one.0.contains("failure"))
            .map(|one| one.1)
            .sum();
        assert_eq!(told.sum("retries_refused_total"), failed);
        assert_eq!(told.sum("calls_total"), 13);
        assert_eq!(told.counter("attempts_total poor"), Some(3), "two retries and the first one");
    })
    .await;
}

/// Runs a future to its end, or to its panic.
async fn catching<F: Future>(future: F) -> Result<F::Output, ()> {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    let mut future = std::pin::pin!(future);
    std::future::poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
        Ok(poll) => poll.map(Ok),
        Err(_) => std::task::Poll::Ready(Err(())),
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn histograms_hold_attempts_waits_and_durations_in_seconds() {
    isolated(async {
        let (_installed, board) = Board::install();
        for failures in [0, 2, 9] {
            let _result = scripted(&AtomicU32::new(failures)).await;
        }
        let _cancelled = tokio::time::timeout(Duration::from_millis(1_500), hanging()).await;
        let told = board.read();
        assert_eq!(told.histogram("call_attempts scripted"), [1.0, 3.0, 3.0]);
        assert_eq!(told.histogram("retry_delay_seconds scripted"), [0.25; 4]);
        assert_eq!(told.histogram("attempt_duration_seconds scripted"), [0.0; 7]);
        // Not a result, but it took that long.
        assert_eq!(told.histogram("attempt_duration_seconds hanging"), [1.5]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_hedge_is_an_attempt_and_its_call_succeeds_after_a_retry() {
    isolated(async {
        let (_installed, board) = Board::install();
        hedged(&AtomicU32::new(0)).await.unwrap();
        let told = board.read();
        assert_eq!(told.counted("calls_total"), [("hedged success_after_retry", 1)]);
        assert_eq!(told.counter("attempts_total hedged"), Some(2));
        assert_eq!(told.histogram("call_attempts hedged"), [2.0]);
        assert_eq!(told.histogram("attempt_duration_seconds hedged").len(), 2);
        assert_eq!(told.sum("attempt_failures_total"), 0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn every_reason_and_every_outcome_is_there_before_it_is_needed() {
    isolated(async {
        let (_installed, board) = Board::install();
        let told = board.read();
        for outcome in ["success", "success_after_retry", "failure", "failure_after_retry"] {
            assert_eq!(told.counter(&format!("calls_total lasting {outcome}")), Some(0));
        }
        let reasons = StopReason::ALL.iter().map(|reason| reason.label()).chain(["panicked"]);
        for reason in reasons {
            assert_eq!(
                told.counter(&format!("retries_refused_total lasting none {reason}")),
                Some(0)
            );
        }
        assert_eq!(told.counter("attempts_total lasting"), Some(0));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_closure_has_a_name_and_calls_of_one_name_are_one_series() {
    isolated(async {
        let (_installed, board) = Board::install();
        for _ in 0..2 {
            let policy = stormless::Policy::new().attempts(1);
            let run = policy.run(async || Err::<(), _>(Trouble::Passing)).named("closure");
            let _failed = run.await;
        }
        let told = board.read();
        assert_eq!(told.counted("calls_total closure"), [("failure", 2)]);
        assert_eq!(told.counter("attempts_total closure"), Some(2));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_test_records_its_own_calls_only() {
    isolated(async {
        let (_installed, board) = Board::install();
        isolated(async {
            lasting().await.unwrap_err();
        })
        .await;
        assert_eq!(board.read().sum("calls_total"), 0);
        lasting().await.unwrap_err();
        assert_eq!(board.read().sum("calls_total"), 1);
    })
    .await;
}
