//! A budget that counts the retries under way counts hedges, and each until it is gone.

use crate::plan::Plan;
use crate::script::{FOREVER, OK, Outcome, PE, T, bucket, ms};
use stormless::{Budget, Classification, Refund, budget, retry, sites, testing::isolated};

budget! {
    /// With no calls to speak of, two retries may be under way.
    static UNDER_WAY: Budget = Budget::envoy("hedging-under-way").min_concurrency(2);
    /// A retry that succeeds has its cost back.
    static REFUNDING: Budget =
        Budget::new("hedging-refunding").burst(5).ratio(0.0).refund(Refund::LastCost);
}

#[retry(idempotent, attempts = 4, hedge = "100ms", hedge_max = 2, backoff = "fixed", base = "50ms",
        budget = UNDER_WAY)]
async fn hedged(plan: &Plan) -> Outcome {
    plan.body().await
}

/// Retries that could start now, of which there are two.
#[expect(clippy::cast_possible_truncation, reason = "a few whole retries")]
fn left() -> i64 {
    bucket("hedging-under-way").balance() as i64
}

#[tokio::test(start_paused = true)]
async fn none_is_under_way_once_the_call_is_over_whoever_won() {
    isolated(async {
        let plans = [
            // Won by the first, by a hedge, and by the other one.
            Plan::new([(ms(250), OK), (FOREVER, OK), (FOREVER, OK)]),
            Plan::new([(FOREVER, OK), (ms(10), OK)]),
            Plan::new([(FOREVER, OK), (FOREVER, OK), (ms(10), OK)]),
            // By a hedge after the first has failed, and by the first after a hedge has.
            Plan::new([(ms(150), T), (ms(150), OK), (FOREVER, OK)]),
            Plan::new([(ms(350), OK), (ms(50), T), (ms(500), OK)]),
            // The last one to fail decides, and the retry that follows wins.
            Plan::new([(ms(120), T), (ms(80), T), (ms(1), OK)]),
            Plan::new([(ms(220), T), (ms(10), T), (ms(500), T), (ms(1), OK)]),
        ];
        for (number, plan) in plans.iter().enumerate() {
            assert_eq!(hedged(plan).await, OK, "plan {number}");
            assert_eq!((left(), plan.in_flight()), (2, 0), "plan {number}");
        }
        // Ended by an answer that is a failure.
        let plan = Plan::new([(FOREVER, OK), (ms(10), PE)]);
        assert_eq!((hedged(&plan).await, left()), (PE, 2));
        // By all attempts.
        let plan = Plan::new([(ms(150), T), (ms(80), T), (ms(10), T), (ms(10), T)]);
        assert_eq!((hedged(&plan).await, left()), (T, 2));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn each_counts_while_it_runs() {
    isolated(async {
        let plan = Plan::new([(FOREVER, OK), (ms(50), T), (FOREVER, OK), (FOREVER, OK)]);
        {
            let mut call = std::pin::pin!(hedged(&plan));
            for (at, under_way) in [(50, 0), (120, 1), (170, 0), (220, 1)] {
                let wait = ms(at).saturating_sub(plan.elapsed());
                assert!(tokio::time::timeout(wait, &mut call).await.is_err());
                assert_eq!(2 - left(), under_way, "after {at} ms");
            }
            assert_eq!(plan.in_flight(), 2);
        }
        assert_eq!((left(), plan.in_flight()), (2, 0), "dropped with both in flight");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn one_call_cannot_have_more_than_all_share() {
    isolated(async {
        let hanging = || Plan::new([(FOREVER, OK), (FOREVER, OK), (FOREVER, OK)]);
        let (one, other) = (hanging(), hanging());
        let both = async { tokio::join!(hedged(&one), hedged(&other)) };
        assert!(tokio::time::timeout(ms(1_000), both).await.is_err());
        assert_eq!(one.bodies() + other.bodies(), 4, "two first attempts and two hedges");
        assert_eq!(left(), 2);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_table_of_functions_has_a_column_for_hedges() {
    #[retry(name = "plain", budget = none)]
    async fn plain(plan: &Plan) -> Outcome {
        plan.body().await
    }
    isolated(async {
        assert_eq!(plain(&Plan::new([(ms(1), OK)])).await, OK);
        assert_eq!(hedged(&Plan::new([(FOREVER, OK), (ms(10), OK)])).await, OK);
        let text = sites().to_string();
        let of = |name: &str| {
            let line = text
                .lines()
                .find(|line| line.split(' ').next() == Some(name))
                .expect("it is listed");
            let words: Vec<_> = line.split_whitespace().collect();
            words[words.len() - 5..].to_vec()
        };
        assert_eq!(of("hedges::in_flight::hedged"), ["0", "1", "1", "1", "-"], "{text}");
        assert_eq!(of("plain"), ["0", "0", "-", "0", "-"], "{text}");
        assert!(text.starts_with("site "), "{text}");
        assert!(text.contains("failures  retries  hedges  recovered  stopped"), "{text}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_hedge_that_wins_is_not_for_nothing_where_successes_bring_their_cost_back() {
    #[retry(idempotent, attempts = 2, hedge = "10ms", budget = REFUNDING)]
    async fn slow_at_first(plan: &Plan) -> Outcome {
        plan.body().await
    }
    isolated(async {
        let mut started = 0;
        for _ in 0..20 {
            let plan = Plan::new([(ms(100), OK), (ms(5), OK)]);
            assert_eq!(slow_at_first(&plan).await, OK);
            started += plan.bodies();
        }
        assert_eq!(
            (started, format!("{:.0}", bucket("hedging-refunding").balance())),
            (25, "0".to_owned())
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn failures_beside_others_count_for_the_cap_of_their_class() {
    #[retry(idempotent, attempts = 9, hedge = "100ms", budget = none, backoff = "none",
            classify = |_| Classification::transient().attempts(2))]
    async fn capped(plan: &Plan) -> Outcome {
        plan.body().await
    }
    isolated(async {
        let plan = Plan::new([(ms(150), T), (ms(150), T), (ms(150), T), (ms(150), T)]);
        assert_eq!((capped(&plan).await, plan.bodies()), (T, 2));
    })
    .await;
}
