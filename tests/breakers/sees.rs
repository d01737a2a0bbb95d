//! What of a call its breaker sees, and what it leaves alone.

use std::{sync::Mutex, time::Duration};

use crate::script::{Failure, Outcome, PE, Script, T, observed, secs};
use stormless::{
    Breaker, BreakerState, Budget, Classification, RetryEvent, StopReason, breaker, budget,
    control, deadline::within, retry, testing::isolated,
};

budget! {
    static CALLS: Budget = Budget::new("breaker-sees");
}

breaker! {
    static ORDERS: Breaker =
        Breaker::new("breaker-sees").consecutive(2).open_for(Duration::from_secs(30)).jitter(0.0);
    static THREE_TIMEOUTS: Breaker = Breaker::new("breaker-sees-timeouts").consecutive_timeouts(3);
}

#[retry(attempts = 5, breaker = ORDERS, budget = CALLS, deadline = left)]
async fn guarded(script: &Script, left: Duration) -> Outcome {
    script.body().await
}

#[tokio::test(start_paused = true)]
async fn what_the_classifiers_call_a_failure_is_one_for_the_breaker() {
    fn empty<E>(result: &Result<u8, E>) -> Option<Classification> {
        matches!(result, Ok(0)).then(Classification::transient)
    }
    #[retry(attempts = 2, breaker = ORDERS, budget = none, classify_result = empty)]
    async fn counted(value: u8) -> Result<u8, Failure> {
        Ok(value)
    }
    isolated(async {
        assert_eq!(counted(0).await, Ok(0), "it comes back as it is");
        assert_eq!(ORDERS.state(), BreakerState::Open);
        assert_eq!(counted(1).await, Err(Failure::Open));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn attempts_that_time_out_are_timeouts_and_other_failures_are_not() {
    #[retry(attempts = 1, attempt_timeout = "1s", breaker = THREE_TIMEOUTS, budget = none)]
    async fn timed(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        for _ in 0..9 {
            assert_eq!(timed(&Script::new([T])).await, T);
        }
        for opened in [BreakerState::Closed, BreakerState::Closed, BreakerState::Open] {
            assert_eq!(timed(&Script::hanging()).await, Err(Failure::TimedOut));
            assert_eq!(THREE_TIMEOUTS.state(), opened);
        }
        let stats = THREE_TIMEOUTS.stats();
        assert_eq!((stats.failures, stats.timeouts), (12, 3));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_hook_sees_each_wait_of_a_guarded_call() {
    #[retry(attempts = 3, breaker = ORDERS, budget = none, clone(names), on_retry = |event| seen(event, told))]
    async fn told(names: Vec<u8>, script: &Script, told: &Mutex<Vec<u32>>) -> Outcome {
        drop(names);
        let _ = told;
        script.body().await
    }
    fn seen(event: &RetryEvent<'_, Failure>, told: &Mutex<Vec<u32>>) {
        told.lock().unwrap().push(event.attempt());
    }
    isolated(async {
        control::count_successes(true);
        let attempts = Mutex::default();
        let script = Script::new([T, PE]);
        assert_eq!(told(vec![1], &script, &attempts).await, PE);
        assert_eq!(attempts.into_inner().unwrap(), [1]);
        assert_eq!((ORDERS.stats().failures, ORDERS.stats().successes), (1, 1));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn switched_off_retries_leave_the_breaker_in_force() {
    isolated(async {
        control::all().off();
        for _ in 0..2 {
            let (result, call) = observed(guarded(&Script::new([T]), secs(60))).await;
            assert_eq!((result, call.reason()), (T, Some(StopReason::Disabled)));
        }
        assert_eq!(guarded(&Script::new([]), secs(60)).await, Err(Failure::Open));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn rejections_touch_no_budget_and_are_no_failures() {
    isolated(async {
        control::count_successes(true);
        ORDERS.open();
        for _ in 0..100 {
            assert_eq!(guarded(&Script::new([]), secs(60)).await, Err(Failure::Open));
        }
        crate::script::assert_untouched("breaker-sees");
        let stats = ORDERS.stats();
        assert_eq!((stats.rejected, stats.failures, stats.successes), (100, 0, 0));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn within_a_deadline_the_guarded_call_is_cut_and_the_breaker_counts_nothing() {
    isolated(async {
        control::count_successes(true);
        let script = Script::hanging();
        let result = within(secs(60), guarded(&script, secs(2))).await;
        assert_eq!((result, script.elapsed()), (Ok(Err(Failure::Late)), secs(2)));
        let stats = ORDERS.stats();
        assert_eq!((stats.failures, stats.successes, stats.rejected), (0, 0, 0));
    })
    .await;
}
