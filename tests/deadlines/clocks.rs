//! All intervals run on the monotonic clock, which these tests move; the wall clock goes its own way.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    task::{Context, Poll, Waker},
};

use crate::script::{Failure, OK, Outcome, Script, T, assert_balance, ms, observed, secs};
use stormless::{
    Budget, StopReason, budget,
    deadline::{remaining, within},
    retry,
    testing::isolated,
};

budget! {
    static CLOCKED: Budget = Budget::new("clocks-orders");
}

// R083
#[tokio::test(start_paused = true)]
async fn a_deadline_is_monotonic_time_whatever_the_wall_clock_does() {
    #[retry(attempts = 100, deadline = "10s", backoff = "fixed", base = "1s", budget = none)]
    async fn steady(script: &Script) -> Outcome {
        script.body().await
    }
    // To the wall clock all of this is a moment: by that one the deadline would never come.
    let script = Script::always(T);
    let (result, call) = observed(steady(&script)).await;
    assert_eq!(result, T);
    assert_eq!(script.starts(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(secs));
    assert_eq!(script.elapsed(), secs(9));
    assert_eq!(call.reason(), Some(StopReason::DeadlineTooClose));
}

/// Polls once, as an executor does that was woken for another reason.
async fn poll_once<F: Future>(mut future: Pin<&mut F>) -> Poll<F::Output> {
    poll_fn(|_| Poll::Ready(future.as_mut().poll(&mut Context::from_waker(Waker::noop())))).await
}

#[retry(attempts = 2, backoff = "fixed", base = "10s", budget = CLOCKED)]
async fn sleepy(script: &Script) -> Outcome {
    script.body().await
}

// R085
#[tokio::test(start_paused = true)]
async fn what_was_left_before_a_suspend_is_left_after_it() {
    isolated(async {
        let script = Script::new([T, OK]);
        let mut call = std::pin::pin!(within(secs(15), sleepy(&script)));
        assert!(poll_once(call.as_mut()).await.is_pending());
        tokio::time::advance(secs(4)).await;
        // A suspend: the process does not run and the monotonic clock stands still. What is polled on
        // waking up finds as much left as before.
        for _ in 0..100 {
            assert!(poll_once(call.as_mut()).await.is_pending());
        }
        assert_balance("clocks-orders", 9.0);
        tokio::time::advance(ms(5_999)).await;
        assert!(poll_once(call.as_mut()).await.is_pending(), "6s were left");
        assert_eq!(script.bodies(), 1);
        tokio::time::advance(ms(1)).await;
        assert_eq!(poll_once(call.as_mut()).await, Poll::Ready(Ok(OK)));
        assert_eq!(script.starts(), [0, 10].map(secs));
        assert_balance("clocks-orders", 9.1);
    })
    .await;
}

// R085
#[tokio::test(start_paused = true)]
async fn a_deadline_keeps_the_time_that_it_had_left() {
    #[retry(deadline = "10s", budget = none)]
    async fn limited(script: &Script) -> Outcome {
        assert_eq!(remaining(), Some(secs(10)));
        tokio::time::advance(secs(4)).await;
        assert_eq!(remaining(), Some(secs(6)));
        // However often the task runs in between, only the monotonic clock counts.
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert_eq!(remaining(), Some(secs(6)));
        script.body().await
    }
    let script = Script::hanging();
    assert_eq!(limited(&script).await, Err(Failure::Late));
    assert_eq!(script.elapsed(), secs(10));
}
