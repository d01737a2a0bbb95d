//! Dropping the future stops a call at once, and an error that says so is never retried.

use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use crate::script::{
    Failure, OK, Outcome, Script, T, assert_balance, bucket, observed, row, secs, t,
};
use stormless::{
    Budget, Kind, Outcome as Ending, Retryable, StopReason, budget, report, retry,
    testing::isolated,
};
use tokio::task::JoinError;

budget! {
    static CANCELLED: Budget = Budget::new("cancellation-orders").burst(10).ratio(0.1);
}

#[retry(attempts = 3, backoff = "fixed", base = "10s", budget = CANCELLED)]
async fn sleepy(script: &Script) -> Outcome {
    script.body().await
}

#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

// R047
#[tokio::test(start_paused = true)]
async fn a_call_dropped_in_its_sleep_is_gone_at_that_instant() {
    isolated(async {
        let script = Script::new([T]);
        let woken = Arc::new(Wakes::default());
        let task = Waker::from(Arc::clone(&woken));
        let mut call = Box::pin(sleepy(&script));
        assert_eq!(call.as_mut().poll(&mut Context::from_waker(&task)), Poll::Pending);
        assert_balance("cancellation-orders", 9.0);
        tokio::time::advance(secs(1)).await;
        assert!(Arc::strong_count(&woken) > 2, "the timer holds the waker");
        drop(call);
        assert_balance("cancellation-orders", 10.0);
        assert_eq!(Arc::strong_count(&woken), 2, "the timer is released");
        let stats = bucket("cancellation-orders").stats();
        assert_eq!((stats.withdrawn, stats.given_back), (1, 1));
        let counted = row("calls::cancellation::sleepy");
        assert_eq!((counted.retries(), counted.stops(StopReason::Cancelled)), (0, 1));

        tokio::time::advance(secs(30)).await;
        assert_eq!(woken.0.load(Ordering::Relaxed), 0, "nobody is woken for it");
        assert_eq!(script.bodies(), 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_call_dropped_in_a_body_keeps_what_that_body_was_paid_with() {
    isolated(async {
        let script = Script::new([T, OK]).taking(secs(5));
        let (gone, calls) = report(tokio::time::timeout(secs(17), sleepy(&script))).await;
        assert!(gone.is_err());
        assert_eq!(script.starts(), [secs(0), secs(15)]);
        assert_eq!(calls[0].outcome(), Ending::Cancelled);
        assert_eq!((calls[0].attempts(), calls[0].slept()), (2, secs(10)));
        let stats = bucket("cancellation-orders").stats();
        assert_eq!((stats.withdrawn, stats.given_back), (1, 0), "it may have reached the server");
        assert_balance("cancellation-orders", 9.0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_future_that_was_never_polled_is_no_call() {
    isolated(async {
        let script = Script::new([]);
        let ((), calls) = report(async { drop(sleepy(&script)) }).await;
        assert_eq!(calls, []);
        assert_eq!(row("calls::cancellation::sleepy").calls(), 0);
    })
    .await;
}

// R049
#[tokio::test(start_paused = true)]
async fn a_cancellation_reported_as_an_error_is_not_retried_and_earns_nothing() {
    isolated(async {
        assert_eq!(sleepy(&Script::new([T, OK])).await, OK);
        assert_balance("cancellation-orders", 9.1);
        let script = Script::new([Err(Failure::Stopped)]);
        let (result, call) = observed(sleepy(&script)).await;
        assert_eq!(result, Err(Failure::Stopped));
        assert_eq!((script.bodies(), script.elapsed()), (1, secs(0)), "no sleep");
        assert_eq!(call.reason(), Some(StopReason::Cancelled));
        assert_eq!(bucket("cancellation-orders").stats().withdrawn, 1);
        assert_balance("cancellation-orders", 9.1);
    })
    .await;
}

#[derive(Debug, thiserror::Error, Retryable)]
enum TaskFailure {
    #[error(transparent)]
    #[retryable(forward)]
    Task(#[from] JoinError),
    #[error("unavailable")]
    #[retryable(transient)]
    Unavailable,
}

// R049
#[tokio::test(start_paused = true)]
async fn an_aborted_task_is_a_cancellation_through_forward() {
    #[retry(attempts = 3, budget = CANCELLED)]
    async fn joined(bodies: &AtomicUsize, aborted: bool) -> Result<(), TaskFailure> {
        bodies.fetch_add(1, Ordering::Relaxed);
        let task = tokio::spawn(std::future::pending::<()>());
        if aborted {
            task.abort();
            task.await?;
        }
        Err(TaskFailure::Unavailable)
    }
    isolated(async {
        let bodies = AtomicUsize::new(0);
        let (result, call) = observed(joined(&bodies, true)).await;
        assert!(matches!(result, Err(TaskFailure::Task(error)) if error.is_cancelled()));
        assert_eq!(bodies.load(Ordering::Relaxed), 1);
        assert_eq!(call.reason(), Some(StopReason::Cancelled));
        assert_eq!(call.failures()[0].classification().kind(), Kind::Cancelled);
        assert_eq!(bucket("cancellation-orders").stats().withdrawn, 0);
        assert_balance("cancellation-orders", 10.0);

        assert!(joined(&bodies, false).await.is_err());
        assert_eq!(bodies.load(Ordering::Relaxed), 4, "other failures of the same type go on");
    })
    .await;
}

// R133
#[tokio::test(start_paused = true)]
async fn the_report_of_a_cancelled_call_names_its_last_real_error() {
    isolated(async {
        let script = Script::new([t(1), Err(Failure::Busy { wait: None })]);
        let (gone, calls) = report(tokio::time::timeout(secs(15), sleepy(&script))).await;
        assert!(gone.is_err());
        assert_eq!(calls.len(), 1);
        let call = &calls[0];
        assert_eq!(call.outcome(), Ending::Cancelled);
        assert_eq!((call.attempts(), call.reason()), (2, Some(StopReason::Cancelled)));
        let last = call.failures().last().unwrap();
        assert_eq!((last.number(), last.label()), (2, "Busy"));
        assert_eq!(last.classification().kind(), Kind::Throttled);
        assert_eq!(call.slept(), secs(10), "the second sleep was not slept out");
        let stats = bucket("cancellation-orders").stats();
        assert_eq!((stats.withdrawn, stats.given_back), (2, 1));
        assert_balance("cancellation-orders", 9.0);
    })
    .await;
}
