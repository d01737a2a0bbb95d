//! Delays in whole calls: the base of a failure's class, decorrelated jitter, and no delay at all.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use crate::script::{Failure, OK, Outcome, Script, T, ms, ra, secs};
use stormless::{
    Classification, Retryable, retry,
    testing::{Jitter, isolated, jitter},
};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Retryable)]
enum Paced {
    #[error("busy")]
    #[retryable(throttled, base = "500ms")]
    Busy,
    #[error("told to wait")]
    #[retryable(throttled, base = "4s", retry_after = wait)]
    Told { wait: Duration },
    #[error("unavailable")]
    #[retryable(transient)]
    Unavailable,
}

const BUSY: Outcome<Paced> = Err(Paced::Busy);
const OK_PACED: Outcome<Paced> = Ok(());

#[retry(attempts = 5, base = "100ms", budget = none)]
async fn derived(script: &Script<Paced>) -> Outcome<Paced> {
    script.body().await
}

#[retry(attempts = 5, base = "100ms", max = "800ms", max_retry_after = "1m", budget = none)]
async fn clipped(script: &Script<Paced>) -> Outcome<Paced> {
    script.body().await
}

#[retry(base = "100ms", max = "300ms", budget = none)]
async fn clipped_at_once(script: &Script<Paced>) -> Outcome<Paced> {
    script.body().await
}

#[retry(backoff = "decorrelated_jitter", base = "100ms", max = "2s", budget = none)]
async fn decorrelated_of_class(script: &Script<Paced>) -> Outcome<Paced> {
    script.body().await
}

fn by_hand(failure: &Failure) -> Classification {
    match failure {
        Failure::Busy { .. } => Classification::throttled().base(ms(500)),
        other => other.classify(),
    }
}

#[retry(attempts = 4, base = "100ms", budget = none, classify = by_hand)]
async fn classified(script: &Script) -> Outcome {
    script.body().await
}

/// The delays of a call through this script.
macro_rules! delays {
    ($call:ident, $draws:expr, $script:expr) => {
        isolated(async {
            jitter($draws);
            let script = Script::new($script);
            assert_eq!($call(&script).await, Ok(()));
            script.gaps()
        })
        .await
    };
}

#[tokio::test(start_paused = true)]
async fn a_class_of_failures_is_waited_for_from_its_own_base_on() {
    let busy = [BUSY, BUSY, BUSY, OK_PACED];
    assert_eq!(delays!(derived, Jitter::Highest, busy.clone()), [500, 1_000, 2_000].map(ms));
    assert_eq!(
        delays!(derived, Jitter::Lowest, busy),
        [ms(0); 3],
        "and it is the cap of the jitter"
    );
    let by_hand = [Err(Failure::Busy { wait: None }), Err(Failure::Busy { wait: None }), T, OK];
    assert_eq!(delays!(classified, Jitter::Highest, by_hand), [500, 1_000, 400].map(ms));
}

#[tokio::test(start_paused = true)]
async fn each_failure_of_a_call_brings_the_base_of_its_own_class() {
    let mixed = [BUSY, Err(Paced::Unavailable), BUSY, Err(Paced::Unavailable), OK_PACED];
    assert_eq!(delays!(derived, Jitter::Highest, mixed), [500, 200, 2_000, 800].map(ms));
}

#[tokio::test(start_paused = true)]
async fn no_base_of_a_class_lifts_a_delay_above_the_longest() {
    let busy = [BUSY, BUSY, BUSY, OK_PACED];
    assert_eq!(delays!(clipped, Jitter::Highest, busy), [500, 800, 800].map(ms));
    let above = delays!(clipped_at_once, Jitter::Highest, [BUSY, BUSY, OK_PACED]);
    assert_eq!(above, [ms(300); 2]);
}

#[tokio::test(start_paused = true)]
async fn the_spread_after_a_hint_comes_from_the_base_of_the_class() {
    let told = || Err(Paced::Told { wait: secs(1) });
    let script = || [told(), told(), OK_PACED];
    assert_eq!(delays!(derived, Jitter::Highest, script()), [1 + 4, 1 + 8].map(secs));
    assert_eq!(delays!(derived, Jitter::Lowest, script()), [secs(1); 2]);
    // Its cap is held below `max` like any other.
    assert_eq!(delays!(clipped, Jitter::Highest, script()), [ms(1_800); 2]);
}

#[tokio::test(start_paused = true)]
async fn decorrelated_jitter_starts_from_the_base_of_the_class_too() {
    let busy = [BUSY, BUSY, OK_PACED];
    assert_eq!(
        delays!(decorrelated_of_class, Jitter::Highest, busy.clone()),
        [1_500, 2_000].map(ms)
    );
    assert_eq!(delays!(decorrelated_of_class, Jitter::Lowest, busy), [ms(500); 2]);
}

#[retry(attempts = 7, backoff = "decorrelated_jitter", base = "100ms", max = "10s", budget = none)]
async fn decorrelated(script: &Script) -> Outcome {
    script.body().await
}

#[tokio::test(start_paused = true)]
async fn decorrelated_jitter_reaches_three_times_the_delay_before_and_never_more_than_the_longest()
{
    let six = || [T, T, T, T, T, T, OK];
    let longest = delays!(decorrelated, Jitter::Highest, six());
    assert_eq!(longest, [300, 900, 2_700, 8_100, 10_000, 10_000].map(ms));
    assert_eq!(delays!(decorrelated, Jitter::Lowest, six()), [ms(100); 6]);
}

#[tokio::test(start_paused = true)]
async fn decorrelated_jitter_is_drawn_from_the_base_to_three_times_the_delay_before() {
    let mut seen = Vec::new();
    for seed in 0..200 {
        let drawn = delays!(decorrelated, Jitter::Seeded(seed), [T, T, T, T, T, T, OK]);
        let mut previous = ms(100);
        for delay in drawn {
            // Slept in whole milliseconds, rounded up: the draw before may have been shorter.
            let longest = (previous * 3).min(secs(10));
            assert!((ms(100)..=longest).contains(&delay), "{delay:?} after {previous:?}");
            previous = delay;
            seen.push(delay);
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > 600, "{} delays differ", seen.len());
}

#[tokio::test(start_paused = true)]
async fn decorrelated_jitter_goes_on_from_the_delay_that_a_hint_gave() {
    // The spread after a hint reaches the longest that the strategy can have come to by then.
    let hinted = [T, ra(secs(2)), T, OK];
    assert_eq!(delays!(decorrelated, Jitter::Highest, hinted), [300, 2_900, 8_700].map(ms));
}

#[retry(attempts = 5, backoff = "none", budget = none)]
async fn at_once(ticks: &AtomicU32, seen: &Mutex<Vec<u32>>) -> Outcome {
    seen.lock().unwrap_or_else(PoisonError::into_inner).push(ticks.load(Ordering::Relaxed));
    T
}

#[retry(attempts = 5, base = "1s", budget = none)]
async fn drawn(ticks: &AtomicU32, seen: &Mutex<Vec<u32>>) -> Outcome {
    seen.lock().unwrap_or_else(PoisonError::into_inner).push(ticks.load(Ordering::Relaxed));
    T
}

/// What the bodies of a call that never waits saw of a task that runs beside it.
macro_rules! progress_beside {
    ($call:ident) => {
        isolated(async {
            jitter(Jitter::Lowest);
            let (ticks, stop) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
            let ticking = tokio::spawn({
                let (ticks, stop) = (ticks.clone(), stop.clone());
                async move {
                    while !stop.load(Ordering::Relaxed) {
                        ticks.fetch_add(1, Ordering::Relaxed);
                        tokio::task::yield_now().await;
                    }
                }
            });
            let (seen, begun) = (Mutex::new(Vec::new()), tokio::time::Instant::now());
            assert_eq!($call(&ticks, &seen).await, T);
            assert_eq!(begun.elapsed(), ms(0));
            stop.store(true, Ordering::Relaxed);
            ticking.await.expect("it ends");
            seen.into_inner().unwrap_or_else(PoisonError::into_inner)
        })
        .await
    };
}

#[tokio::test(start_paused = true)]
async fn without_a_delay_other_tasks_still_run_between_attempts() {
    for seen in [progress_beside!(at_once), progress_beside!(drawn)] {
        assert_eq!(seen.len(), 5);
        assert!(seen.windows(2).all(|pair| pair[0] < pair[1]), "{seen:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_delay_the_other_futures_of_the_task_still_run_between_attempts() {
    isolated(async {
        let (ticks, seen) = (AtomicU32::new(0), Mutex::new(Vec::new()));
        let ticking = async {
            for _ in 0..10 {
                ticks.fetch_add(1, Ordering::Relaxed);
                tokio::task::yield_now().await;
            }
        };
        let (result, ()) = tokio::join!(biased; at_once(&ticks, &seen), ticking);
        assert_eq!(result, T);
        let seen = seen.into_inner().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(seen, [0, 1, 2, 3, 4], "each future is polled once a round");
    })
    .await;
}
