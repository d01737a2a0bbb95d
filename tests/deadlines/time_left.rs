//! How much time must be left for an attempt, and for how many attempts it is enough.

use std::time::Duration;

use crate::script::{
    Bare, Failure, OK, Outcome, Script, T, assert_untouched, ms, observed, row, secs,
};
use stormless::{
    Budget, StopReason, budget,
    deadline::within,
    retry,
    testing::{Jitter, isolated, jitter},
};

budget! {
    static LEFT: Budget = Budget::new("time-left-orders");
}

#[retry(min_remaining = "50ms", deadline = left, budget = LEFT)]
async fn reserved(script: &Script, left: Duration) -> Outcome {
    script.body().await
}

#[tokio::test(start_paused = true)]
async fn with_no_more_than_the_reserve_left_the_body_is_not_called() {
    for left in [ms(50), ms(49), Duration::from_nanos(1)] {
        isolated(async {
            let script = Script::new([]);
            let (result, call) = observed(reserved(&script, left)).await;
            assert_eq!(result, Err(Failure::Late), "{left:?}");
            assert_eq!(call.attempts(), 0);
            assert_eq!(call.reason(), Some(StopReason::DeadlineTooClose));
            let counted = row("deadlines::time_left::reserved");
            assert_eq!((counted.failures(), counted.attempts(), counted.calls()), (0, 0, 1));
            assert_untouched("time-left-orders");
        })
        .await;
    }
    let script = Script::new([OK]);
    let a_little_more = Duration::from_nanos(50_000_001);
    assert_eq!(reserved(&script, a_little_more).await, OK);
}

#[tokio::test(start_paused = true)]
async fn no_time_at_all_is_a_passed_deadline() {
    let script = Script::new([]);
    let (result, call) = observed(reserved(&script, Duration::ZERO)).await;
    assert_eq!(result, Err(Failure::Late));
    assert_eq!((call.attempts(), call.reason()), (0, Some(StopReason::DeadlineExceeded)));
}

// F7
#[tokio::test(start_paused = true)]
async fn an_inner_call_with_only_the_reserve_left_is_not_made() {
    #[retry(min_remaining = "50ms", budget = none)]
    async fn inner(script: &Script) -> Outcome {
        script.body().await
    }
    #[retry(deadline = "2s", budget = none)]
    async fn outer(script: &Script, spent: Duration) -> Outcome {
        tokio::time::sleep(spent).await;
        inner(script).await
    }
    isolated(async {
        let script = Script::new([]);
        assert_eq!(outer(&script, ms(1_950)).await, Err(Failure::Late));
        assert_eq!(row("deadlines::time_left::inner").stops(StopReason::DeadlineTooClose), 1);
        let script = Script::new([OK]);
        assert_eq!(outer(&script, ms(1_949)).await, OK);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_retry_must_leave_the_reserve_too() {
    #[retry(min_remaining = "1s", deadline = left, backoff = "fixed", base = "2s", attempts = 2,
            budget = none)]
    async fn second(script: &Script, left: Duration) -> Outcome {
        script.body().await
    }
    let script = Script::new([T]);
    let (result, call) = observed(second(&script, secs(3))).await;
    assert_eq!((result, script.elapsed()), (T, secs(0)));
    assert_eq!(call.reason(), Some(StopReason::DeadlineTooClose));
    let script = Script::new([T, OK]);
    assert_eq!(second(&script, ms(3_001)).await, OK);
}

#[tokio::test(start_paused = true)]
async fn jitter_beyond_a_hint_is_trimmed_to_leave_the_reserve() {
    #[retry(min_remaining = "500ms", deadline = "10s", budget = none)]
    async fn hinted(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        jitter(Jitter::Highest);
        let script = Script::new([crate::script::ra(secs(9)), OK]);
        assert_eq!(hinted(&script).await, OK);
        assert_eq!(script.starts()[1], ms(9_499), "the last moment that leaves more than it");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_error_type_without_a_word_for_it_gets_one_body_and_nothing_after_it() {
    #[retry(min_remaining = "50ms", budget = none)]
    async fn speechless(script: &Script<Bare>) -> Outcome<Bare> {
        script.body().await
    }
    let script = Script::new([Err(Bare)]);
    let (result, call) = observed(within(ms(50), speechless(&script))).await;
    assert_eq!(result.unwrap(), Err(Bare));
    assert_eq!((call.attempts(), call.reason()), (1, Some(StopReason::DeadlineTooClose)));
}

#[retry(attempts = 4, time_per_attempt = "100ms", deadline = left, backoff = "none", budget = LEFT)]
async fn divided(script: &Script, left: Duration) -> Outcome {
    script.body().await
}

// F12
#[tokio::test(start_paused = true)]
async fn attempts_are_limited_to_the_time_left_divided_and_rounded_down() {
    let expected = [
        (350, 3),
        (300, 3),
        (299, 2),
        (250, 2),
        (200, 2),
        (199, 1),
        (100, 1),
        (400, 4),
        (9_000, 4),
    ];
    for (left, bodies) in expected {
        isolated(async {
            let script = Script::always(T);
            let (result, call) = observed(divided(&script, ms(left))).await;
            assert_eq!(result, T);
            assert_eq!(script.bodies(), bodies, "{left} ms");
            assert_eq!(call.reason(), Some(StopReason::AttemptsExhausted));
        })
        .await;
    }
}

// F12
#[tokio::test(start_paused = true)]
async fn no_time_for_one_attempt_gives_the_cut_error_and_no_body() {
    for left in [50, 99] {
        isolated(async {
            let script = Script::new([]);
            let (result, call) = observed(divided(&script, ms(left))).await;
            assert_eq!(result, Err(Failure::Late));
            assert_eq!((call.attempts(), call.reason()), (0, Some(StopReason::DeadlineTooClose)));
            assert_untouched("time-left-orders");
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_division_is_made_once_before_the_first_attempt() {
    isolated(async {
        // After the second body 110 ms are left: divided again, that would allow one attempt in all.
        let script = Script::always(T).taking(ms(120));
        assert_eq!(divided(&script, ms(350)).await, Err(Failure::Late));
        assert_eq!(script.starts(), [0, 120, 240].map(ms));
        assert_eq!(script.elapsed(), ms(350));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_division_is_by_an_inherited_deadline_too_and_means_nothing_without_one() {
    #[retry(attempts = 5, time_per_attempt = "100ms", backoff = "none", budget = none)]
    async fn inheriting(script: &Script) -> Outcome {
        script.body().await
    }
    let script = Script::always(T);
    assert_eq!(within(ms(250), inheriting(&script)).await.unwrap(), T);
    assert_eq!(script.bodies(), 2);
    let script = Script::always(T);
    assert_eq!(inheriting(&script).await, T);
    assert_eq!(script.bodies(), 5);
}
