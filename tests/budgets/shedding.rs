//! With `shed`, calls are refused before their first attempt while the dependency accepts too few.

use std::time::Duration;

use crate::plan::Plan;
use crate::script::{
    Failure, OK, Outcome, Script, T, assert_balance, bucket, ms, observed, row, secs,
};
use stormless::{
    Breaker, Budget, Classification, Cut, Note, RetryError, StopReason, breaker, breakers, budget,
    retry,
    testing::{Jitter, isolated, isolated_sync, jitter, seed},
    verify,
};
use tokio::time::advance;

budget! {
    static SHEDDING: Budget = Budget::sre_throttling("shedding");
    static ABOVE: Budget = Budget::new("shedding-above").shed(1.5);
    static BELOW: Budget = Budget::new("shedding-below").parent(&ABOVE);
}

breaker! {
    static GUARD: Breaker = Breaker::new("shedding-guard").consecutive(1_000_000);
}

#[retry(attempts = 1, shed, budget = SHEDDING, name = "shedding.once")]
async fn once(script: &Script) -> Outcome {
    script.body().await
}

#[retry(attempts = 3, backoff = "fixed", base = "1s", shed, budget = "shedding", breaker = GUARD,
        name = "shedding.guarded")]
async fn guarded(script: &Script) -> Outcome {
    script.body().await
}

/// The chance after so many requests of which so many were accepted, as the book has it.
fn chance(requests: u32, accepts: u32) -> f64 {
    let (requests, accepts) = (f64::from(requests), f64::from(accepts));
    ((requests - 2.0 * accepts) / (requests + 1.0)).max(0.0)
}

/// From here on each call is shed of which the formula allows it.
async fn fail(times: u32) {
    jitter(Jitter::Highest);
    for _ in 0..times {
        assert_eq!(once(&Script::new([T])).await, T);
    }
    jitter(Jitter::Lowest);
}

#[tokio::test(start_paused = true)]
async fn the_share_of_shed_calls_follows_the_formula_and_recovers() {
    isolated(async {
        seed(5);
        let (mut requests, mut accepts) = (0, 0);
        // Of ten calls that reach the dependency this many are answered, for so many calls. It goes wrong a
        // bit, then altogether, and then all is well again.
        for (answered, calls) in [(6, 400), (3, 400), (0, 400), (10, 4_000)] {
            let (mut expected, mut spread, mut shed, mut reached) = (0.0, 0.0, 0.0, 0);
            for _ in 0..calls {
                let odds = chance(requests, accepts);
                assert!(
                    (bucket("shedding").shed_chance(stormless::engine::Moment::from_nanos(0))
                        - odds)
                        .abs()
                        < 1e-9
                );
                expected += odds;
                spread += odds * (1.0 - odds);
                requests += 1;
                let answer = if reached % 10 < answered { OK } else { T };
                let script = Script::new([answer.clone()]);
                let result = once(&script).await;
                if script.bodies() == 0 {
                    assert_eq!(result, Err(Failure::Open));
                    shed += 1.0;
                } else {
                    assert_eq!(result, answer);
                    reached += 1;
                    accepts += u32::from(answer.is_ok());
                }
            }
            let off: f64 = shed - expected;
            assert!(off.abs() <= 4.0 * spread.sqrt() + 1.0, "{shed} of {calls}, not {expected}");
        }
        assert!(chance(requests, accepts) <= 0.0, "answers of 10 in 10 end it");
        let stats = bucket("shedding").stats();
        assert!(stats.shed > 200, "{stats:?}");
        assert_eq!((stats.withdrawn, stats.refused), (0, 0));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_was_two_minutes_ago_sheds_nothing() {
    isolated(async {
        fail(100).await;
        assert_eq!(once(&Script::new([])).await, Err(Failure::Open));
        advance(secs(122)).await;
        assert_eq!(once(&Script::new([OK])).await, OK);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_shed_call_leaves_no_trace_but_its_count() {
    isolated(async {
        fail(10).await;
        let before = bucket("shedding").stats();
        let script = Script::new([]);
        let (result, call) = observed(guarded(&script)).await;
        assert_eq!((result, script.elapsed()), (Err(Failure::Open), Duration::ZERO));
        assert_eq!((call.attempts(), call.reason()), (0, Some(StopReason::BreakerOpen)));
        assert!(call.failures().is_empty(), "nothing was tried that could fail");
        let after = bucket("shedding").stats();
        assert_eq!((before.shed, after.shed), (0, 1));
        assert_eq!((after.withdrawn, after.refused, after.given_back), (0, 0, 0));
        assert_balance("shedding", 10.0);
        let stats = breakers().get("shedding-guard").unwrap().stats();
        assert_eq!(
            (stats.successes, stats.failures, stats.rejected, stats.cancelled),
            (0, 0, 0, 0)
        );
        let row = row("shedding.guarded");
        assert_eq!((row.stops(StopReason::BreakerOpen), row.failures(), row.calls()), (1, 0, 1));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn retries_are_not_shed() {
    isolated(async {
        fail(10).await;
        jitter(Jitter::Highest);
        let script = Script::new([T, T, OK]);
        let call = guarded(&script);
        let (result, ()) = tokio::join!(call, async {
            tokio::time::sleep(ms(500)).await;
            jitter(Jitter::Lowest);
        });
        assert_eq!((result, script.bodies(), bucket("shedding").stats().shed), (OK, 3, 0));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_an_outer_retry_repeats_is_paid_for_and_not_shed() {
    #[retry(attempts = 2, backoff = "none", budget = none)]
    async fn outer(script: &Script) -> Outcome {
        once(script).await
    }
    isolated(async {
        fail(10).await;
        let script = Script::new([OK]);
        assert_eq!((outer(&script).await, script.bodies()), (OK, 1));
        let stats = bucket("shedding").stats();
        assert_eq!(
            (stats.shed, stats.withdrawn),
            (1, 1),
            "the first was, and the second is paid for"
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn outer_retries_bring_no_more_of_what_is_shed_than_the_budget_pays_for() {
    #[retry(attempts = 3, backoff = "none", budget = none)]
    async fn outer(script: &Script) -> Outcome {
        once(script).await
    }
    isolated(async {
        fail(100).await;
        let script = Script::new([T; 300]);
        for _ in 0..100 {
            assert!(outer(&script).await.is_err());
        }
        assert_eq!(script.bodies(), 10);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_answers_first_and_says_when_to_come_back() {
    #[retry(shed, budget = SHEDDING, breaker = GUARD, classify = |_| Classification::permanent(),
            cut_error = |cut| cut)]
    async fn told(script: &Script) -> Result<(), Cut> {
        script.body().await.map_err(|_| unreachable!("it does not run"))
    }
    isolated(async {
        fail(10).await;
        let waits = |cut| match cut {
            Err(Cut::BreakerOpen(open)) => open.retry_after(),
            other => panic!("{other:?}"),
        };
        assert_eq!(waits(told(&Script::new([])).await), None);
        GUARD.open();
        assert!(waits(told(&Script::new([])).await).is_some_and(|wait| wait > secs(1)));
        assert_eq!(bucket("shedding").stats().shed, 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn all_kinds_of_functions_are_shed() {
    #[retry(shed, budget = SHEDDING)]
    async fn wrapped(script: &Script) -> Result<(), RetryError<Failure>> {
        script.body().await
    }
    #[retry(shed, budget = SHEDDING, idempotent, hedge = "10ms")]
    async fn hedged(plan: &Plan) -> Outcome {
        plan.body().await
    }
    #[retry(shed, budget = SHEDDING, deadline = "5s", expect = "p95")]
    async fn expecting(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        fail(10).await;
        let error = wrapped(&Script::new([])).await.unwrap_err();
        assert_eq!((error.attempts(), error.reason()), (0, StopReason::BreakerOpen));
        let plan = Plan::new([]);
        assert_eq!((hedged(&plan).await, plan.bodies()), (Err(Failure::Open), 0));
        assert_eq!(expecting(&Script::new([])).await, Err(Failure::Open));
        assert_eq!(bucket("shedding").stats().shed, 3);
        jitter(Jitter::Highest);
        let plan = Plan::new([(ms(50), OK), (ms(1), OK)]);
        assert_eq!((hedged(&plan).await, plan.bodies()), (OK, 2));
    })
    .await;
}

#[test]
fn so_are_blocking_functions() {
    #[retry(blocking, attempts = 1, shed, budget = SHEDDING)]
    fn blocking(runs: bool) -> Outcome {
        assert!(runs);
        T
    }
    isolated_sync(|| {
        jitter(Jitter::Highest);
        (0..10).for_each(|_| assert_eq!(blocking(true), T));
        jitter(Jitter::Lowest);
        assert_eq!(blocking(false), Err(Failure::Open));
    });
}

#[tokio::test(start_paused = true)]
async fn a_budget_above_sheds_for_those_below_and_for_keys() {
    #[retry(attempts = 1, shed, budget = BELOW)]
    async fn below(script: &Script) -> Outcome {
        script.body().await
    }
    #[retry(attempts = 1, shed, budget = SHEDDING, budget_key = host)]
    async fn keyed(host: &str, script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        jitter(Jitter::Highest);
        for _ in 0..10 {
            assert_eq!(below(&Script::new([T])).await, T);
            assert_eq!(keyed("one", &Script::new([T])).await, T);
        }
        jitter(Jitter::Lowest);
        assert_eq!(below(&Script::new([])).await, Err(Failure::Open));
        assert_eq!(keyed("other", &Script::new([])).await, Err(Failure::Open));
        let shed = |name| bucket(name).stats().shed;
        assert_eq!((shed("shedding-below"), shed("shedding-above"), shed("shedding")), (0, 1, 1));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn without_the_word_nothing_is_shed() {
    #[retry(attempts = 1, budget = SHEDDING)]
    async fn plain(script: &Script) -> Outcome {
        script.body().await
    }
    isolated(async {
        fail(100).await;
        assert_eq!(plain(&Script::new([T])).await, T);
    })
    .await;
}

#[tokio::test]
async fn a_budget_that_never_sheds_is_noted() {
    budget! { static PLAIN: Budget = Budget::new("shedding-plain"); }
    #[retry(shed, budget = PLAIN, name = "shedding.in_vain")]
    async fn in_vain() -> Outcome {
        OK
    }
    assert_eq!(in_vain().await, OK);
    let notes = verify().unwrap();
    let found: Vec<String> = notes
        .iter()
        .filter(|note| matches!(note, Note::ShedsNothing { .. }))
        .map(ToString::to_string)
        .collect();
    let wanted =
        "`shedding.in_vain` says `shed`, and the budget `shedding-plain` never sheds anything";
    assert_eq!(found, [wanted]);
}
