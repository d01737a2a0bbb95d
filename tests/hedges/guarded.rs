//! Attempts that run side by side behind a breaker: each has a permit of its own.

use std::time::Duration;

use crate::plan::Plan;
use crate::script::{
    FOREVER, Failure, OK, Outcome, T, assert_untouched, bucket, ms, observed, secs, t,
};
use stormless::{
    Breaker, BreakerState, Budget, StopReason, breaker, budget, retry, testing::isolated,
};

budget! {
    static ORDERS: Budget = Budget::new("hedging-guarded");
}

breaker! {
    static ONE: Breaker =
        Breaker::new("hedging-one-probe").consecutive(1).open_for(Duration::from_secs(5)).jitter(0.0);
    static TWO: Breaker = Breaker::new("hedging-two-probes")
        .consecutive(2)
        .open_for(Duration::from_secs(5))
        .jitter(0.0)
        .probes(2);
}

#[retry(idempotent, attempts = 2, hedge = "100ms", breaker = ONE, budget = ORDERS)]
async fn one(plan: &Plan) -> Outcome {
    plan.body().await
}

#[retry(idempotent, attempts = 2, hedge = "100ms", backoff = "none", breaker = TWO, budget = ORDERS)]
async fn two(plan: &Plan) -> Outcome {
    plan.body().await
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_keeps_a_call_and_a_hedge_from_starting() {
    isolated(async {
        let plan = Plan::new([(ms(200), OK)]);
        let opens = async {
            tokio::time::sleep(ms(50)).await;
            ONE.open();
        };
        assert_eq!(tokio::join!(one(&plan), opens).0, OK, "who is in flight goes on");
        assert_eq!(plan.bodies(), 1);
        let none = Plan::new([]);
        let (result, call) = observed(one(&none)).await;
        assert_eq!((result, call.attempts()), (Err(Failure::Open), 0));
        assert_eq!(call.reason(), Some(StopReason::BreakerOpen));
        assert_untouched("hedging-guarded");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_hedge_needs_a_probes_slot_of_its_own() {
    isolated(async {
        ONE.open();
        tokio::time::sleep(secs(5)).await;
        let plan = Plan::new([(ms(200), OK)]);
        assert_eq!((one(&plan).await, plan.bodies()), (OK, 1), "there is one slot");
        assert_eq!(ONE.state(), BreakerState::Closed);
        assert_untouched("hedging-guarded");

        TWO.open();
        tokio::time::sleep(secs(5)).await;
        let plan = Plan::new([(FOREVER, OK), (ms(10), OK)]);
        assert_eq!((two(&plan).await, plan.bodies()), (OK, 2));
        assert_eq!(TWO.state(), BreakerState::Closed);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_loser_is_neither_a_failure_nor_a_success() {
    isolated(async {
        let before = TWO.stats();
        for steps in [[(FOREVER, OK), (ms(10), OK)], [(ms(150), OK), (FOREVER, OK)]] {
            let plan = Plan::new(steps);
            assert_eq!((two(&plan).await, plan.bodies()), (OK, 2));
        }
        let after = TWO.stats();
        assert_eq!(after.failures, before.failures);
        assert_eq!(after.cancelled, before.cancelled + 2);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_fails_beside_another_is_seen_to_fail() {
    isolated(async {
        let plan = Plan::new([(ms(150), T), (ms(100), OK)]);
        assert_eq!(two(&plan).await, OK);
        assert_eq!((TWO.stats().failures, TWO.state()), (1, BreakerState::Closed));
        let plan = Plan::new([(ms(150), t(1)), (ms(100), t(2))]);
        assert_eq!(two(&plan).await, t(2));
        assert_eq!((TWO.stats().failures, TWO.state()), (3, BreakerState::Open));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_dropped_call_gives_all_its_permits_back() {
    isolated(async {
        let plan = Plan::new([(FOREVER, OK), (FOREVER, OK)]);
        assert!(tokio::time::timeout(ms(300), two(&plan)).await.is_err());
        assert_eq!((plan.bodies(), plan.in_flight()), (2, 0));
        assert_eq!((TWO.stats().cancelled, TWO.stats().failures), (2, 0));
        assert_eq!(bucket("hedging-guarded").stats().withdrawn, 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_hedge_that_would_not_end_in_time_does_not_start() {
    #[retry(idempotent, hedge = "100ms", expect = "p50", deadline = left, budget = ORDERS)]
    async fn expecting(plan: &Plan, left: Duration) -> Outcome {
        plan.body().await
    }
    isolated(async {
        for _ in 0..30 {
            let plan = Plan::new([(ms(90), OK)]);
            assert_eq!(expecting(&plan, secs(60)).await, OK);
        }
        // At 100 ms there are 60 ms left, and half of the attempts take longer.
        let plan = Plan::new([(ms(150), OK)]);
        assert_eq!((expecting(&plan, ms(160)).await, plan.bodies()), (OK, 1));
        let plan = Plan::new([(FOREVER, OK), (ms(90), OK)]);
        assert_eq!((expecting(&plan, ms(260)).await, plan.bodies()), (OK, 2));
    })
    .await;
}
