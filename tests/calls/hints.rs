//! What a server asks for is a floor, and what makes no sense asks for nothing.

use std::{
    process::Command,
    time::{Duration, SystemTime},
};

use crate::script::{
    Failure, OK, Outcome, Script, T, assert_untouched, delays, ms, observed, paused, ra, secs,
};
use stormless::{
    Budget, RetryAfter, StopReason, budget, retry,
    testing::{Jitter, isolated, jitter},
};

budget! {
    static HINTED: Budget = Budget::new("hints-orders");
}

/// A throttled failure with the hint of a `Retry-After` field, on a wall clock that stands still.
fn header(value: &str) -> Outcome {
    Err(Failure::Busy { wait: RetryAfter::parse(value).and_then(|after| after.wait(None, now())) })
}

/// Sun, 06 Nov 1994 08:49:37 GMT.
fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + secs(784_111_777)
}

/// The delay of a call that fails once with this hint.
macro_rules! delay_after {
    ($call:ident, $failure:expr, $draws:expr) => {
        isolated(async {
            jitter($draws);
            let script = Script::new([$failure, OK]);
            let (result, call) = observed($call(&script)).await;
            assert_eq!(result, OK);
            assert_eq!(delays(&call), script.gaps(), "what was decided is what was slept");
            delays(&call)[0]
        })
    };
}

#[retry(backoff = "none", max_retry_after = "10m", budget = none)]
async fn patient(script: &Script) -> Outcome {
    script.body().await
}

#[retry(backoff = "fixed", base = "1s", budget = none)]
async fn fixed(script: &Script) -> Outcome {
    script.body().await
}

#[retry(base = "100ms", budget = none)]
async fn jittered(script: &Script) -> Outcome {
    script.body().await
}

// R051
#[test]
fn dates_are_gmt_whatever_the_time_zone() {
    const CHILD: &str = "STORMLESS_TEST_HINT_ZONE";
    if std::env::var_os(CHILD).is_some() {
        let in_two_minutes = || header("Sun, 06 Nov 1994 08:51:37 GMT");
        paused().block_on(async {
            let least = delay_after!(patient, in_two_minutes(), Jitter::Lowest).await;
            let most = delay_after!(patient, in_two_minutes(), Jitter::Highest).await;
            assert_eq!((least, most), (secs(120), secs(150)));
        });
        return;
    }
    // New York and Tokyo, by rules that need no zone database.
    for zone in ["EST5EDT,M3.2.0,M11.1.0", "JST-9"] {
        // A process's zone is settled when it starts, so each has one of its own.
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "hints::dates_are_gmt_whatever_the_time_zone"])
            .env("TZ", zone)
            .env(CHILD, "yes")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success() && said.contains("1 passed"), "{zone}: {said}");
    }
}

// R053, R059
#[tokio::test(start_paused = true)]
async fn what_has_passed_or_is_malformed_is_no_hint() {
    for value in ["-1", "0", "Sun, 06 Nov 1994 08:49:36 GMT", "Wed, 99 Foo", "soon", "NaN"] {
        let delay = delay_after!(fixed, header(value), Jitter::Random).await;
        assert_eq!(delay, secs(1), "`{value}`");
    }
    let zero = delay_after!(fixed, ra(Duration::ZERO), Jitter::Random).await;
    assert_eq!(zero, secs(1), "a hint of nothing");
}

// R055
#[tokio::test(start_paused = true)]
async fn fractions_of_a_second_are_hints_rounded_up_to_the_millisecond() {
    for (value, least) in [("0.503", ms(503)), ("0.5031", ms(504))] {
        assert_eq!(delay_after!(jittered, header(value), Jitter::Lowest).await, least);
    }
    assert_eq!(delay_after!(jittered, header("0.503"), Jitter::Highest).await, ms(629));
    for run in 0..200 {
        let delay = delay_after!(jittered, header("0.503"), Jitter::Seeded(run)).await;
        assert!((ms(503)..=ms(629)).contains(&delay), "seed {run}: {delay:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_hint_finer_than_the_timer_is_never_slept_shorter() {
    let failure = || ra(Duration::from_micros(503_100));
    assert_eq!(delay_after!(jittered, failure(), Jitter::Lowest).await, ms(504));
}

#[tokio::test(start_paused = true)]
async fn the_spread_after_a_hint_is_the_larger_of_the_current_cap_and_a_quarter() {
    #[retry(base = "10s", budget = none)]
    async fn wide(script: &Script) -> Outcome {
        script.body().await
    }
    assert_eq!(delay_after!(wide, ra(secs(4)), Jitter::Highest).await, secs(14), "the cap");
    assert_eq!(delay_after!(jittered, ra(secs(4)), Jitter::Highest).await, secs(5), "a quarter");
    assert_eq!(
        delay_after!(fixed, ra(secs(4)), Jitter::Highest).await,
        secs(5),
        "whatever backoff"
    );
    assert_eq!(delay_after!(wide, ra(secs(4)), Jitter::Lowest).await, secs(4));
}

// R057
#[tokio::test(start_paused = true)]
async fn a_hint_above_the_longest_accepted_stops_the_call() {
    #[retry(max = "30s", budget = HINTED)]
    async fn capped(script: &Script) -> Outcome {
        script.body().await
    }
    for hint in [secs(484_289 * 3600), ms(30_001)] {
        isolated(async {
            let script = Script::new([ra(hint)]);
            let (result, call) = observed(capped(&script)).await;
            assert_eq!(result, ra(hint), "the original error");
            assert_eq!((script.bodies(), script.elapsed()), (1, secs(0)));
            assert_eq!(call.reason(), Some(StopReason::RetryAfterTooLong));
            assert_untouched("hints-orders");
        })
        .await;
    }
    let longest = delay_after!(capped, ra(secs(30)), Jitter::Lowest).await;
    assert_eq!(longest, secs(30), "the longest accepted is waited for, though `max` is no longer");
    let spread = delay_after!(capped, ra(secs(30)), Jitter::Highest).await;
    assert_eq!(spread, ms(37_500), "and spread beyond it, as others were told the same");
}

// R061
#[tokio::test(start_paused = true)]
async fn the_longest_accepted_hint_holds_for_every_attempt() {
    #[retry(attempts = 5, base = "100ms", max_retry_after = "5s", budget = none)]
    async fn strict(script: &Script) -> Outcome {
        script.body().await
    }
    for draws in [Jitter::Lowest, Jitter::Random, Jitter::Highest] {
        isolated(async {
            jitter(draws);
            let script = Script::new([ra(secs(1)), ra(secs(1)), ra(secs(10))]);
            let (result, call) = observed(strict(&script)).await;
            assert_eq!(result, ra(secs(10)));
            assert_eq!(call.reason(), Some(StopReason::RetryAfterTooLong));
            let sleeps = script.gaps();
            assert_eq!(sleeps.len(), 2);
            assert!(sleeps.iter().all(|sleep| (secs(1)..=ms(1_250)).contains(sleep)), "{sleeps:?}");
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_hint_does_not_move_the_schedule_of_the_backoff() {
    #[retry(attempts = 4, backoff = "exponential", base = "1s", budget = none)]
    async fn growing(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        jitter(Jitter::Lowest);
        let script = Script::new([T, ra(secs(10)), T, OK]);
        assert_eq!(growing(&script).await, OK);
        assert_eq!(script.gaps(), [1, 10, 4].map(secs), "k counts retries, whatever their delay");
    })
    .await;
}
