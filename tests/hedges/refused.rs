//! When no attempt starts beside a slow one, and what starts at the very moment of an answer.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use crate::plan::Plan;
use crate::script::{
    FOREVER, Failure, OK, Outcome, T, TM, assert_balance, bucket, ms, observed, row,
};
use stormless::{
    Budget, Classification, Policy, StopReason, budget, engine::Moment, retry, testing::isolated,
};
use tokio::sync::oneshot;

budget! {
    static ORDERS: Budget = Budget::new("refused-hedges-orders");
    static RACED: Budget = Budget::new("refused-hedges-raced").burst(50).ratio(0.5);
}

/// For buckets, which do not look at the time.
const EPOCH: Moment = Moment::from_nanos(0);

// R114
#[tokio::test(start_paused = true)]
async fn an_answer_at_the_very_tick_of_a_hedge_is_one_result() {
    static IN_FLIGHT: AtomicUsize = AtomicUsize::new(0);
    struct Flight;
    impl Drop for Flight {
        fn drop(&mut self) {
            IN_FLIGHT.fetch_sub(1, Ordering::Relaxed);
        }
    }
    /// What the first body waits for, all of it over at the tick of the hedge.
    async fn tick(way: usize) {
        let (answer, answered) = oneshot::channel();
        match way {
            0 => return tokio::time::sleep(ms(10)).await,
            1 => {
                tokio::spawn(async move {
                    tokio::time::sleep(ms(10)).await;
                    let _ = answer.send(());
                });
            }
            2 => {
                tokio::spawn(async move {
                    tokio::time::sleep(ms(10)).await;
                    tokio::task::yield_now().await;
                    let _ = answer.send(());
                });
            }
            _ => {
                tokio::time::sleep(ms(10)).await;
                return tokio::task::yield_now().await;
            }
        }
        answered.await.unwrap();
    }
    #[retry(idempotent, attempts = 2, hedge = "10ms", budget = RACED)]
    async fn raced(way: usize, bodies: &AtomicUsize) -> Result<usize, Failure> {
        IN_FLIGHT.fetch_add(1, Ordering::Relaxed);
        let _flight = Flight;
        let body = bodies.fetch_add(1, Ordering::Relaxed);
        if body == 0 {
            tick(way).await;
        } else {
            tokio::time::sleep(ms(1)).await;
        }
        Ok(body)
    }
    isolated(async {
        let mut hedges = 0;
        for run in 0..100_000 {
            let bodies = AtomicUsize::new(0);
            let winner = raced(run % 4, &bodies).await.unwrap();
            let bodies = bodies.into_inner();
            assert!(bodies <= 2 && winner < bodies, "{bodies} bodies, and {winner} won");
            assert_eq!(IN_FLIGHT.load(Ordering::Relaxed), 0);
            hedges += bodies as u64 - 1;
        }
        let stats = bucket("refused-hedges-raced").stats();
        assert_eq!(stats.withdrawn, hedges + stats.given_back);
        assert_eq!(row("hedges::refused::raced").hedges(), hedges);
        assert!((1..100_000).contains(&hedges), "both orders were met: {hedges}");
        assert!(stats.refused > 0, "and an empty budget");
    })
    .await;
}

#[retry(idempotent, attempts = 3, hedge = "100ms", hedge_max = 2, budget = ORDERS)]
async fn hedged(plan: &Plan) -> Outcome {
    plan.body().await
}

#[tokio::test(start_paused = true)]
async fn a_refused_hedge_is_simply_not_started() {
    isolated(async {
        assert!(bucket("refused-hedges-orders").withdraw(9, EPOCH).is_some());
        let plan = Plan::new([(ms(500), OK), (ms(1_000), OK)]);
        let (result, call) = observed(hedged(&plan)).await;
        assert_eq!((result, plan.elapsed(), plan.bodies()), (OK, ms(500), 2));
        assert!(call.failures().is_empty());
        let stats = bucket("refused-hedges-orders").stats();
        assert_eq!((stats.withdrawn, stats.refused), (1 + 1, 1), "one by this test itself");
        assert_eq!(row("hedges::refused::hedged").stops(StopReason::BudgetExhausted), 0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_suppressed_call_does_not_hedge() {
    #[retry(idempotent, budget = none)]
    async fn outer(plan: &Plan) -> Outcome {
        hedged(plan).await
    }
    #[retry(idempotent, budget = none, inner = "allow")]
    async fn allowing(plan: &Plan) -> Outcome {
        hedged(plan).await
    }
    isolated(async {
        let plan = Plan::new([(ms(500), OK)]);
        assert_eq!((outer(&plan).await, plan.bodies()), (OK, 1));
        let plan = Plan::new([(ms(500), OK), (FOREVER, OK), (FOREVER, OK)]);
        assert_eq!((allowing(&plan).await, plan.bodies()), (OK, 3));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_hedge_repeats_what_suppressed_calls_inside_did_and_pays_for_it() {
    budget! { static INSIDE: Budget = Budget::new("refused-hedges-inside"); }
    #[retry(budget = INSIDE)]
    async fn inner() -> Outcome {
        T
    }
    #[retry(idempotent, attempts = 2, hedge = "100ms", budget = none)]
    async fn outer(plan: &Plan) -> Outcome {
        assert!(inner().await.is_err(), "and lives with that");
        plan.body().await
    }
    isolated(async {
        let plan = Plan::new([(ms(500), OK), (ms(500), OK)]);
        assert_eq!((outer(&plan).await, plan.bodies()), (OK, 2));
        assert_balance("refused-hedges-inside", 9.0);
        assert!(bucket("refused-hedges-inside").withdraw(9, EPOCH).is_some());
        let plan = Plan::new([(ms(500), OK)]);
        assert_eq!((outer(&plan).await, plan.bodies()), (OK, 1));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_only_the_loser_left_is_not_lost_to_nesting() {
    #[retry(budget = none)]
    async fn fallible(fails: bool) -> Outcome {
        if fails { T } else { OK }
    }
    #[retry(idempotent, attempts = 2, hedge = "100ms", budget = none)]
    async fn outer(plan: &Plan) -> Outcome {
        let first = stormless::current().unwrap().number() == 1;
        let _inner = fallible(first).await;
        plan.body().await
    }
    isolated(async {
        let plan = Plan::new([(FOREVER, OK), (ms(10), OK)]);
        assert_eq!(outer(&plan).await, OK);
        assert_eq!(row("hedges::refused::fallible").lost_to_nesting(), 0, "the hedge repeated it");
        // Where the first attempt wins, nobody repeated what failed inside it.
        let plan = Plan::new([(ms(150), OK), (FOREVER, OK)]);
        assert_eq!(outer(&plan).await, OK);
        assert_eq!(row("hedges::refused::fallible").lost_to_nesting(), 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_hedge_needs_time_before_the_deadline() {
    #[retry(idempotent, hedge = "600ms", deadline = "1s", min_remaining = "400ms", uncut,
            budget = none)]
    async fn close(plan: &Plan) -> Outcome {
        plan.body().await
    }
    #[retry(idempotent, hedge = "600ms", deadline = "1s", min_remaining = "399ms", budget = none)]
    async fn enough(plan: &Plan) -> Outcome {
        plan.body().await
    }
    let plan = Plan::new([(ms(5_000), OK)]);
    assert_eq!((close(&plan).await, plan.bodies()), (OK, 1), "uncut, it runs to its end");
    let plan = Plan::new([(FOREVER, OK), (ms(1), OK)]);
    assert_eq!((enough(&plan).await, plan.bodies()), (OK, 2));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_not_idempotent_after_all_does_not_hedge() {
    #[retry(idempotent = safe, hedge = "100ms", budget = none)]
    async fn perhaps(safe: bool, plan: &Plan) -> Outcome {
        plan.body().await
    }
    let plan = Plan::new([(ms(500), TM)]);
    assert_eq!((perhaps(false, &plan).await, plan.bodies()), (TM, 1));
    let plan = Plan::new([(ms(500), TM), (ms(150), OK)]);
    assert_eq!((perhaps(true, &plan).await, plan.bodies()), (OK, 2));
}

#[tokio::test(start_paused = true)]
async fn attempts_that_a_policy_does_not_have_do_not_start() {
    const ONE: Policy = Policy::new().attempts(1);
    #[retry(policy = ONE, idempotent, hedge = "100ms", hedge_max = 5, budget = none)]
    async fn once(plan: &Plan) -> Outcome {
        plan.body().await
    }
    #[retry(idempotent, attempts = 6, time_per_attempt = "400ms", deadline = "1s",
            hedge = "100ms", hedge_max = 5, budget = none)]
    async fn twice(plan: &Plan) -> Outcome {
        plan.body().await
    }
    let plan = Plan::new([(ms(500), OK)]);
    assert_eq!((once(&plan).await, plan.bodies()), (OK, 1));
    let plan = Plan::new([(ms(500), OK), (ms(500), OK)]);
    assert_eq!((twice(&plan).await, plan.bodies()), (OK, 2));
}

#[tokio::test(start_paused = true)]
async fn each_failure_is_judged_once() {
    #[retry(idempotent, attempts = 4, hedge = "100ms", backoff = "none", budget = none,
            classify = |error| { judged.fetch_add(1, Ordering::Relaxed); of(error) })]
    async fn classified(plan: &Plan, judged: &AtomicUsize) -> Outcome {
        plan.body().await
    }
    fn of(error: &Failure) -> Classification {
        match error {
            Failure::Refused(_) => Classification::permanent(),
            _ => Classification::transient(),
        }
    }
    let judged = AtomicUsize::new(0);
    let plan =
        Plan::new([(ms(150), T), (ms(150), T), (ms(150), T), (ms(10), Err(Failure::Refused(7)))]);
    assert_eq!(classified(&plan, &judged).await, Err(Failure::Refused(7)));
    assert_eq!((plan.bodies(), judged.into_inner()), (4, 3), "the third one was dropped");
}

#[tokio::test(start_paused = true)]
async fn a_part_of_the_own_latency_is_waited_for_once_enough_is_known() {
    #[retry(idempotent, hedge = "p95", budget = ORDERS)]
    async fn usual(takes: Duration, bodies: &AtomicUsize) -> Outcome {
        if bodies.fetch_add(1, Ordering::Relaxed) == 0 {
            tokio::time::sleep(takes).await;
        } else {
            tokio::time::sleep(ms(1)).await;
        }
        OK
    }
    isolated(async {
        let run = async |takes| {
            let (bodies, begun) = (AtomicUsize::new(0), tokio::time::Instant::now());
            assert_eq!(usual(takes, &bodies).await, OK);
            (bodies.into_inner(), begun.elapsed())
        };
        // Nothing is known, so that nothing is hedged.
        assert_eq!(run(ms(5_000)).await, (1, ms(5_000)));
        for _ in 0..99 {
            assert_eq!(run(ms(10)).await.0, 1);
        }
        let (bodies, took) = run(ms(5_000)).await;
        assert_eq!(bodies, 2);
        assert!((ms(11)..ms(14)).contains(&took), "{took:?}");
        // A slow answer that nobody waited for was slow all the same: hedging does not talk itself into
        // hedging ever sooner.
        for run_of_ten in 0..100 {
            let (bodies, _) = run(if run_of_ten % 10 == 0 { ms(5_000) } else { ms(10) }).await;
            assert!(run_of_ten % 10 == 0 || bodies == 1, "{run_of_ten}");
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_future_of_a_hedged_call_is_send() {
    let plan = Arc::new(Plan::new([(FOREVER, OK), (ms(10), OK)]));
    let task = tokio::spawn({
        let plan = plan.clone();
        async move { hedged(&plan).await }
    });
    assert_eq!(task.await.unwrap(), OK);
    assert_eq!((plan.bodies(), plan.in_flight()), (2, 0));
}
