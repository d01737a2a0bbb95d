//! The deadline bounds the whole chain: no sleep past it, no attempt planned for after it.

use std::{collections::HashSet, time::Duration};

use crate::script::{
    Bare, Failure, OK, Outcome, Script, T, assert_balance, assert_untouched, bucket, delays, ms,
    observed, ra, row, secs,
};
use stormless::{
    Budget, CallReport, StopReason, budget, retry,
    testing::{Jitter, isolated, jitter, seed},
};

budget! {
    static LIMITED: Budget = Budget::new("limits-orders");
}

#[retry(attempts = 5, deadline = "2s", uncut, budget = LIMITED)]
async fn uncut(script: &Script<Bare>) -> Outcome<Bare> {
    script.body().await
}

// R036
#[tokio::test(start_paused = true)]
async fn an_attempt_that_outlives_the_deadline_uncut_is_the_last() {
    isolated(async {
        let script = Script::new([Err(Bare)]).taking(secs(5));
        let (result, call) = observed(uncut(&script)).await;
        assert_eq!(result, Err(Bare));
        assert_eq!(script.elapsed(), secs(5), "it ran to its end");
        assert_eq!(script.bodies(), 1);
        assert_eq!(call.reason(), Some(StopReason::DeadlineExceeded));
        assert_untouched("limits-orders");
    })
    .await;
}

// R036
#[tokio::test(start_paused = true)]
async fn an_attempt_that_outlives_the_deadline_is_cut_and_is_the_last() {
    #[retry(attempts = 5, deadline = "2s", budget = LIMITED)]
    async fn cut(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        let script = Script::new([T]).taking(secs(5));
        let (result, call) = observed(cut(&script)).await;
        assert_eq!(result, Err(Failure::Late));
        assert_eq!(script.elapsed(), secs(2));
        assert_eq!(script.bodies(), 1);
        assert_eq!(call.reason(), Some(StopReason::DeadlineExceeded));
        assert_untouched("limits-orders");
    })
    .await;
}

// R038
#[tokio::test(start_paused = true)]
async fn the_deadline_bounds_the_whole_chain() {
    #[retry(attempts = "unlimited", backoff = "full_jitter", deadline = "5s", budget = none,
            inner = "suppress")]
    async fn chain(script: &Script) -> Outcome {
        script.body().await
    }
    for run in 0..200 {
        isolated(async {
            seed(run);
            let script = Script::always(T);
            let (result, call) = observed(chain(&script)).await;
            assert_eq!(result, T);
            assert!(script.elapsed() <= secs(5), "seed {run}: {:?}", script.elapsed());
            assert!(script.bodies() > 1);
            assert!(script.starts().iter().all(|start| *start < secs(5)), "seed {run}");
            assert_eq!(call.reason(), Some(StopReason::DeadlineTooClose), "seed {run}");
        })
        .await;
    }
}

// R039
#[tokio::test(start_paused = true)]
async fn a_wait_that_does_not_fit_ends_the_call_at_once() {
    #[retry(backoff = "fixed", base = "10s", deadline = "3s", budget = LIMITED)]
    async fn hurried(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        let script = Script::new([T]);
        let (result, call) = observed(hurried(&script)).await;
        assert_eq!(result, T);
        assert_eq!((script.bodies(), script.elapsed()), (1, secs(0)));
        assert!(delays(&call).is_empty());
        assert_eq!(call.reason(), Some(StopReason::DeadlineTooClose));
        assert_untouched("limits-orders");
    })
    .await;
}

#[retry(deadline = "10s", max_retry_after = "2m", budget = LIMITED)]
async fn asked_to_wait(script: &Script) -> Outcome {
    script.body().await
}

// R041
#[tokio::test(start_paused = true)]
async fn a_hint_that_does_not_fit_gives_the_servers_own_error_at_once() {
    isolated(async {
        let script = Script::new([ra(secs(60))]);
        let (result, call) = observed(asked_to_wait(&script)).await;
        assert_eq!(result, ra(secs(60)), "with its data");
        assert_eq!(script.elapsed(), secs(0));
        assert_eq!(call.reason(), Some(StopReason::DeadlineTooClose));
        assert_untouched("limits-orders");
    })
    .await;
}

async fn second_start(wait: Duration, draws: Jitter) -> (Duration, CallReport) {
    jitter(draws);
    let script = Script::new([ra(wait), OK]);
    let (result, call) = observed(asked_to_wait(&script)).await;
    assert_eq!(result, OK);
    (script.starts()[1], call)
}

// R041
#[tokio::test(start_paused = true)]
async fn a_hint_that_fits_is_obeyed_and_only_its_jitter_is_trimmed() {
    let mut starts = HashSet::new();
    for run in 0..200 {
        let start = isolated(async {
            let (start, call) = second_start(secs(9), Jitter::Seeded(run)).await;
            assert!((secs(9)..secs(10)).contains(&start), "seed {run}: {start:?}");
            assert_eq!(delays(&call), [start]);
            assert_balance("limits-orders", 9.1);
            start
        });
        starts.insert(start.await);
    }
    assert!(starts.len() > 150, "trimmed, and still not all at the edge: {}", starts.len());
    // The edges: as asked, and the last moment of the timer before the deadline.
    for (draws, expected) in [(Jitter::Lowest, secs(9)), (Jitter::Highest, ms(9_999))] {
        isolated(async {
            assert_eq!(second_start(secs(9), draws).await.0, expected);
            assert_eq!(second_start(ms(9_999), draws).await.0, ms(9_999), "no room, no jitter");
        })
        .await;
    }
}

// R043
#[tokio::test(start_paused = true)]
async fn no_sleep_is_shortened_to_squeeze_in_an_attempt() {
    #[retry(attempts = 10, backoff = "fixed", base = "4s", deadline = "10s", budget = LIMITED)]
    async fn steady(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        let script = Script::always(T);
        let (result, call) = observed(steady(&script)).await;
        assert_eq!(result, T);
        assert_eq!(script.starts(), [0, 4, 8].map(secs));
        assert_eq!(script.elapsed(), secs(8));
        assert_eq!(call.reason(), Some(StopReason::DeadlineTooClose));
        assert_eq!(bucket("limits-orders").stats().withdrawn, 2, "the third was never paid for");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_attempt_at_the_very_deadline_does_not_fit() {
    #[retry(attempts = 9, backoff = "fixed", base = "5s", deadline = "10s", budget = none)]
    async fn at_the_edge(script: &Script) -> Outcome {
        script.body().await
    }
    #[retry(attempts = 9, backoff = "fixed", base = "5s", deadline = "10001ms", budget = none)]
    async fn before_the_edge(script: &Script) -> Outcome {
        script.body().await
    }
    let script = Script::always(T);
    assert_eq!(at_the_edge(&script).await, T);
    assert_eq!(script.starts(), [0, 5].map(secs));
    let script = Script::always(T);
    assert_eq!(before_the_edge(&script).await, T);
    assert_eq!(script.starts(), [0, 5, 10].map(secs));
}

// R045
#[tokio::test(start_paused = true)]
async fn a_passed_deadline_is_final() {
    isolated(async {
        let script = Script::new([Err(Bare)]).taking(ms(2_001));
        let (result, call) = observed(uncut(&script)).await;
        assert_eq!(result, Err(Bare));
        assert_eq!((script.bodies(), script.elapsed()), (1, ms(2_001)));
        assert_eq!((call.attempts(), call.reason()), (1, Some(StopReason::DeadlineExceeded)));
        let counted = row("deadlines::limits::uncut");
        assert_eq!((counted.attempts(), counted.retries()), (1, 0));
        assert_untouched("limits-orders");
    })
    .await;
}
