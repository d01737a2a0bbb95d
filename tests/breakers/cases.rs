//! What became of calls and breakers elsewhere, and must not here.

use std::{
    panic::AssertUnwindSafe,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use crate::half_open::{assert_refused, at, half_open, until_half_open};
use crate::script::{Failure, OK, Outcome, Script, T, assert_balance, bucket, ms, observed, secs};
use futures_util::{FutureExt, future::join_all};
use stormless::{
    Breaker, BreakerState, Budget, StopReason, breaker, budget, control, current, report, retry,
    testing::isolated,
};
use tokio::time::{Instant, advance};

budget! {
    static PROBED: Budget = Budget::new("breaker-cases");
}

breaker! {
    static ONE: Breaker = half_open("breaker-cases-one").probes(1);
    static RATE: Breaker = Breaker::new("breaker-cases-rate")
        .failure_rate(0.5)
        .window(Duration::from_secs(10))
        .min_calls(5)
        .open_for(Duration::from_secs(10))
        .jitter(0.0);
    static FIVE: Breaker = Breaker::new("breaker-cases-five")
        .consecutive(5)
        .window(Duration::from_secs(10))
        .open_for(Duration::from_secs(30))
        .jitter(0.0);
    static LONGEST: Breaker =
        Breaker::new("breaker-cases-longest").consecutive(3).open_for(Duration::MAX);
}

#[retry(attempts = 1, breaker = ONE, budget = none)]
async fn one(script: &Script) -> Outcome {
    script.body().await
}

#[retry(attempts = 1, breaker = RATE, budget = none)]
async fn rated(script: &Script) -> Outcome {
    script.body().await
}

#[retry(attempts = 1, breaker = FIVE, budget = none)]
async fn fifth(script: &Script) -> Outcome {
    script.body().await
}

// R096
#[tokio::test(start_paused = true)]
async fn calls_that_are_dropped_are_neither_failures_nor_successes() {
    isolated(async {
        control::count_successes(true);
        let hanging = Script::hanging();
        for _ in 0..100 {
            assert!(rated(&hanging).now_or_never().is_none());
        }
        let stats = RATE.stats();
        assert_eq!((stats.cancelled, stats.failures, stats.successes), (100, 0, 0));
        assert_eq!((RATE.state(), hanging.bodies()), (BreakerState::Closed, 100));
        // The window is empty: the fifth failure is the first that `min_calls` lets count.
        for _ in 0..4 {
            assert_eq!(rated(&Script::new([T])).await, T);
            assert_eq!(RATE.state(), BreakerState::Closed);
        }
        assert_eq!(rated(&Script::new([T])).await, T);
        assert_eq!(RATE.state(), BreakerState::Open);
    })
    .await;
}

// R049
#[tokio::test(start_paused = true)]
async fn what_was_cancelled_inside_counts_neither_way() {
    isolated(async {
        control::count_successes(true);
        let cancelled = Err(Failure::Stopped);
        let (result, call) = observed(one(&Script::new([cancelled.clone()]))).await;
        assert_eq!((result, call.reason()), (cancelled, Some(StopReason::Cancelled)));
        let stats = ONE.stats();
        assert_eq!((stats.failures, stats.successes, ONE.state()), (0, 0, BreakerState::Closed));
    })
    .await;
}

// R098
#[tokio::test(start_paused = true)]
async fn old_failures_leave_the_window() {
    isolated(async {
        for call in 0..5 {
            if call == 4 {
                advance(secs(24 * 3600)).await;
            }
            assert_eq!(rated(&Script::new([T])).await, T);
            assert_eq!(fifth(&Script::new([T])).await, T);
        }
        assert_eq!((RATE.state(), FIVE.state()), (BreakerState::Closed, BreakerState::Closed));
        // One call is in each window: four more failures open both.
        for breaker in 0..4 {
            assert_eq!(RATE.state(), BreakerState::Closed, "{breaker}");
            assert_eq!(FIVE.state(), BreakerState::Closed, "{breaker}");
            assert_eq!(rated(&Script::new([T])).await, T);
            assert_eq!(fifth(&Script::new([T])).await, T);
        }
        assert_eq!((RATE.state(), FIVE.state()), (BreakerState::Open, BreakerState::Open));
    })
    .await;
}

// R100
#[tokio::test(start_paused = true)]
async fn rejections_are_no_failures() {
    isolated(async {
        control::count_successes(true);
        assert_eq!(one(&Script::new([T])).await, T);
        let none = Script::new([]);
        for _ in 0..1_000 {
            assert_eq!(one(&none).await, Err(Failure::Open));
        }
        advance(secs(10)).await;
        assert_eq!(one(&Script::new([OK])).await, OK);
        assert_eq!(ONE.state(), BreakerState::Closed);
        let stats = ONE.stats();
        assert_eq!((stats.rejected, stats.failures, stats.successes), (1_000, 1, 1));
    })
    .await;
}

// R102
#[tokio::test(start_paused = true)]
async fn slow_failures_reach_the_breaker_through_the_attempt_timeout() {
    #[retry(attempts = 1, attempt_timeout = "1s", breaker = FIVE, budget = none)]
    async fn timed(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        let script = Script::always(OK).taking(secs(30));
        let start = Instant::now();
        let calls = (0..200).map(|call| {
            let script = &script;
            async move {
                at(start, ms(10 * call)).await;
                timed(script).await
            }
        });
        let opened = async {
            at(start, ms(1_039)).await;
            assert_eq!(FIVE.state(), BreakerState::Closed);
            at(start, ms(1_041)).await;
            assert_eq!(FIVE.state(), BreakerState::Open);
        };
        let (results, ()) = tokio::join!(join_all(calls), opened);
        assert!((100..=105).contains(&script.bodies()), "{} bodies", script.bodies());
        let refused = results.iter().filter(|result| **result == Err(Failure::Open)).count();
        let timed_out = results.iter().filter(|result| **result == Err(Failure::TimedOut)).count();
        assert_eq!((timed_out, refused), (script.bodies(), 200 - script.bodies()));
    })
    .await;
}

// R121
#[tokio::test(start_paused = true)]
async fn a_panic_passes_through_and_frees_the_slot() {
    #[retry(attempts = 3, backoff = "fixed", base = "1s", breaker = FIVE, budget = PROBED)]
    async fn panicking() -> Outcome {
        let number = current().map_or(0, |attempt| attempt.number());
        assert!(number < 2, "on purpose");
        T
    }
    #[retry(attempts = 1, breaker = ONE, budget = none)]
    async fn probe(bodies: &AtomicU32) -> Outcome {
        assert!(bodies.fetch_add(1, Ordering::Relaxed) > 0, "on purpose");
        OK
    }
    isolated(async {
        control::count_successes(true);
        let unwound = AssertUnwindSafe(panicking()).catch_unwind().await;
        assert!(unwound.is_err());
        let stats = FIVE.stats();
        assert_eq!((stats.failures, stats.successes, stats.cancelled), (1, 0, 1));
        assert_eq!(bucket("breaker-cases").stats().withdrawn, 1);
        assert_balance("breaker-cases", 9.0);

        until_half_open(&ONE).await;
        let bodies = AtomicU32::new(0);
        assert!(AssertUnwindSafe(probe(&bodies)).catch_unwind().await.is_err());
        assert_eq!(ONE.state(), BreakerState::HalfOpen);
        assert_eq!(probe(&bodies).await, OK);
        assert_eq!(ONE.state(), BreakerState::Closed);
    })
    .await;
}

// R171
#[tokio::test(start_paused = true)]
async fn the_breaker_sits_inside_the_retry_and_a_fallback_outside() {
    #[retry(attempts = 3, breaker = FIVE, budget = none)]
    async fn dependency(script: &Script) -> Outcome {
        script.body().await
    }
    async fn with_fallback(script: &Script) -> (Outcome, usize) {
        match dependency(script).await {
            Ok(()) => (OK, 0),
            Err(_) => (OK, script.bodies()),
        }
    }
    isolated(async {
        control::count_successes(true);
        let script = Script::new([T, T, OK]);
        assert_eq!(with_fallback(&script).await, (OK, 0));
        assert_eq!(script.bodies(), 3);
        let stats = FIVE.stats();
        assert_eq!((stats.failures, stats.successes), (2, 1));
        assert_eq!(with_fallback(&Script::always(T)).await, (OK, 3), "once, after the third body");
    })
    .await;
}

// R019
#[tokio::test(start_paused = true)]
async fn the_longest_durations_mean_never() {
    #[retry(
        attempts = 3,
        deadline = Duration::MAX,
        attempt_timeout = LONG,
        breaker = LONGEST,
        budget = none
    )]
    async fn longest(script: &Script) -> Outcome {
        script.body().await
    }
    const LONG: Duration = Duration::MAX;
    isolated(async {
        let script = Script::new([T, T, OK]).taking(secs(1));
        assert_eq!((longest(&script).await, script.bodies()), (OK, 3));
        let script = Script::always(T);
        let (result, calls) = report(longest(&script)).await;
        assert_eq!((result, script.bodies()), (T, 3));
        assert_eq!(calls[0].reason(), Some(StopReason::AttemptsExhausted));
        advance(secs(365 * 24 * 3600)).await;
        assert_refused(longest(&script)).await;
    })
    .await;
}

// R081, R085
#[tokio::test(start_paused = true)]
async fn a_breaker_is_open_for_monotonic_time() {
    isolated(async {
        // To the wall clock both steps are a moment: by that one it would stay open.
        ONE.open();
        advance(ms(9_999)).await;
        assert_refused(one(&Script::new([]))).await;
        advance(ms(1)).await;
        assert_eq!(one(&Script::new([OK])).await, OK);
    })
    .await;
}
