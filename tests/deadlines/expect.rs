//! An attempt that will not end in the time that is left does not start.

use std::{cell::Cell, time::Duration};

use crate::script::{Bare, Failure, OK, Outcome, PE, Script, T, bucket, ms, observed, row, secs};
use futures_util::FutureExt;
use stormless::{
    Budget, StopReason, budget,
    deadline::within,
    report, retry,
    testing::{clock_reads, isolated, isolated_sync},
};
use tokio::time::advance;

budget! {
    static EXPECTED: Budget = Budget::new("expect-orders");
}

#[retry(
    attempts = 5,
    backoff = "fixed",
    base = "100ms",
    expect = "p95",
    deadline = left,
    budget = EXPECTED,
    name = "foresighted"
)]
async fn foresighted(script: &Script, left: Duration) -> Outcome {
    script.body().await
}

/// As many as the sketch needs before it says anything, each of this length.
async fn learn(took: Duration) {
    for _ in 0..20 {
        assert_eq!(foresighted(&Script::new([OK]).taking(took), secs(60)).await, OK);
    }
}

#[tokio::test(start_paused = true)]
async fn a_first_attempt_that_would_not_end_in_time_is_not_started() {
    isolated(async {
        learn(ms(500)).await;
        let script = Script::new([]);
        let (result, call) = observed(foresighted(&script, ms(400))).await;
        assert_eq!(result, Err(Failure::Late));
        assert_eq!((call.attempts(), call.reason()), (0, Some(StopReason::DeadlineTooClose)));
        assert_eq!(script.elapsed(), Duration::ZERO);
        assert_eq!(row("foresighted").stops(StopReason::DeadlineTooClose), 1);
        let script = Script::new([OK]).taking(ms(500));
        assert_eq!(foresighted(&script, ms(700)).await, OK);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_would_not_end_in_time_is_neither_paid_for_nor_waited_for() {
    isolated(async {
        learn(ms(500)).await;
        // 1,000 ms, less an attempt and a wait, leave 400.
        let script = Script::new([T]).taking(ms(500));
        let (result, call) = observed(foresighted(&script, ms(1_000))).await;
        assert_eq!((result, script.elapsed()), (T, ms(500)));
        assert_eq!(call.reason(), Some(StopReason::DeadlineTooClose));
        assert_eq!(bucket("expect-orders").stats().withdrawn, 0);
        // Here 900 are left.
        let script = Script::new([T, OK]).taking(ms(500));
        assert_eq!(foresighted(&script, ms(1_500)).await, OK);
        assert_eq!(script.starts(), [ms(0), ms(600)]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_longer_of_what_is_expected_and_what_must_remain_counts() {
    #[retry(attempts = 2, backoff = "fixed", base = "100ms", expect = "p50", min_remaining = "1s",
            deadline = left, budget = none)]
    async fn both(script: &Script, left: Duration) -> Outcome {
        script.body().await
    }
    isolated(async {
        for _ in 0..20 {
            assert_eq!(both(&Script::new([OK]).taking(ms(100)), secs(60)).await, OK);
        }
        for (left, bodies) in [(ms(1_200), 1), (ms(1_250), 2)] {
            let script = Script::new([T, OK]).taking(ms(100));
            let _ = both(&script, left).await;
            assert_eq!(script.bodies(), bodies, "{left:?}");
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn failures_that_came_fast_pretend_no_haste() {
    isolated(async {
        learn(ms(500)).await;
        for _ in 0..200 {
            let (_, call) = observed(foresighted(&Script::new([T]), ms(550))).await;
            assert_eq!((call.attempts(), call.reason()), (1, Some(StopReason::DeadlineTooClose)));
        }
        assert_eq!(foresighted(&Script::new([]), ms(400)).await, Err(Failure::Late));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn answers_count_like_successes() {
    isolated(async {
        for _ in 0..20 {
            assert_eq!(foresighted(&Script::new([PE]).taking(ms(500)), secs(60)).await, PE);
        }
        assert_eq!(foresighted(&Script::new([]), ms(400)).await, Err(Failure::Late));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn attempts_that_were_cut_would_have_taken_longer() {
    #[retry(backoff = "fixed", base = "100ms", expect = "p50", deadline = left, budget = none)]
    async fn median(script: &Script, left: Duration) -> Outcome {
        script.body().await
    }
    isolated(async {
        for _ in 0..20 {
            let script = Script::hanging();
            assert_eq!(median(&script, ms(500)).await, Err(Failure::Late));
            assert_eq!(script.bodies(), 1);
        }
        assert_eq!(median(&Script::new([]), ms(450)).await, Err(Failure::Late));
        // A retry that starts late is cut early, which says nothing.
        for _ in 0..30 {
            let script = Script::hanging_after(T);
            let mut call = Box::pin(median(&script, secs(1)));
            assert!(call.as_mut().now_or_never().is_none(), "it waits for its retry");
            advance(ms(990)).await;
            assert_eq!((call.await, script.bodies()), (Err(Failure::Late), 2));
        }
        assert_eq!(median(&Script::new([]), ms(450)).await, Err(Failure::Late));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn it_does_not_lock_itself_out() {
    isolated(async {
        learn(secs(1)).await;
        let refused = async || foresighted(&Script::new([]), ms(800)).await;
        assert_eq!(refused().await, Err(Failure::Late));
        advance(secs(30)).await;
        assert_eq!(refused().await, Err(Failure::Late));
        // Nothing was started and so nothing learnt; then what was known is forgotten.
        advance(secs(100)).await;
        assert_eq!(foresighted(&Script::new([OK]), ms(800)).await, OK);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_inherited_deadline_counts_as_well() {
    #[retry(attempts = 3, expect = "p99", budget = none)]
    async fn inheriting(script: &Script) -> Outcome {
        script.body().await
    }
    #[retry(attempts = 3, expect = "p99", budget = none)]
    async fn speechless(script: &Script<Bare>) -> Outcome<Bare> {
        script.body().await
    }
    isolated(async {
        for _ in 0..20 {
            let script = Script::new([OK]).taking(ms(500));
            assert_eq!(within(secs(9), inheriting(&script)).await.unwrap(), OK);
            let script = Script::new([Ok(())]).taking(ms(500));
            assert_eq!(within(secs(9), speechless(&script)).await.unwrap(), Ok(()));
        }
        let (result, calls) = report(within(ms(400), inheriting(&Script::new([])))).await;
        assert_eq!(result.unwrap(), Err(Failure::Late));
        assert_eq!(calls[0].reason(), Some(StopReason::DeadlineTooClose));
        // What cannot say so runs once, and nothing follows.
        let script = Script::new([Err(Bare)]);
        let (result, calls) = report(within(ms(400), speechless(&script))).await;
        assert_eq!((result.unwrap(), script.bodies()), (Err(Bare), 1));
        assert_eq!(calls[0].reason(), Some(StopReason::DeadlineTooClose));
    })
    .await;
}

#[test]
fn a_blocking_attempt_that_would_not_end_in_time_is_not_started() {
    #[retry(blocking, attempts = 1, expect = "p90", deadline = left, budget = none)]
    fn read(left: Duration, takes: Duration, bodies: &Cell<u32>) -> Outcome {
        bodies.set(bodies.get() + 1);
        let _ = advance(takes).now_or_never();
        OK
    }
    let runtime = crate::script::paused();
    let _inside = runtime.enter();
    isolated_sync(|| {
        let bodies = Cell::new(0);
        for _ in 0..20 {
            assert_eq!(read(secs(60), ms(500), &bodies), OK);
        }
        assert_eq!(read(ms(400), ms(500), &bodies), Err(Failure::Late));
        assert_eq!(bodies.get(), 20);
        assert_eq!(read(ms(600), ms(500), &bodies), OK);
    });
}

#[tokio::test(start_paused = true)]
async fn without_a_deadline_nothing_is_asked_and_no_clock_is_read() {
    #[retry(attempts = 3, expect = "p95", budget = none)]
    async fn unlimited(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        let before = clock_reads();
        for _ in 0..50 {
            assert_eq!(unlimited(&Script::new([OK])).await, OK);
        }
        assert_eq!(clock_reads() - before, 0);
    })
    .await;
}
