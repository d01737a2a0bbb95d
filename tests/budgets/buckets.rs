//! Retry budgets as whole calls meet them.

use std::time::Duration;

use crate::bodies::{Answer, Dependency, P, PE, T, assert_balance, ms, site};
use futures_util::future::join_all;
use stormless::{
    Budget, Context, RetryError, StopReason, budget, report, retry, testing::isolated,
};

budget! {
    static SMALL: Budget = Budget::new("budgets.small").burst(5).ratio(0.1);
    static USUAL: Budget = Budget::new("budgets.usual").burst(10).ratio(0.1);
    static HALF: Budget = Budget::new("budgets.half").burst(10).ratio(0.5);
    static TOGETHER: Budget = Budget::new("budgets.together").burst(3).ratio(0.5);
    static FIFTH: Budget = Budget::new("budgets.fifth").burst(10).ratio(0.2);
}

#[retry(attempts = 2, backoff = "none", budget = SMALL, name = "small")]
async fn small(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = USUAL, name = "usual")]
async fn usual(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = HALF)]
async fn half(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = TOGETHER)]
async fn together(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "fixed", base = "20s", budget = FIFTH, name = "fifth")]
async fn fifth(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", name = "own")]
async fn own(dependency: &Dependency) -> Answer {
    dependency.answer()
}

/// The bodies of one call of `usual` into a dead dependency, and why it stopped.
async fn failing() -> (usize, Option<StopReason>) {
    let dead = Dependency::dead();
    let (result, calls) = report(usual(&dead)).await;
    assert_eq!(result, Err(T));
    (dead.bodies(), calls[0].reason())
}

const RETRIED: (usize, Option<StopReason>) = (2, Some(StopReason::AttemptsExhausted));
const REFUSED: (usize, Option<StopReason>) = (1, Some(StopReason::BudgetExhausted));

async fn drain_usual() {
    for _ in 0..10 {
        assert_eq!(failing().await, RETRIED);
    }
    assert_balance("budgets.usual", 0.0);
}

async fn succeed(times: usize) {
    let healthy = Dependency::always(Ok(()));
    for _ in 0..times {
        assert_eq!(usual(&healthy).await, Ok(()));
    }
}

// R063
#[tokio::test(start_paused = true)]
async fn a_started_retry_is_spent_and_only_an_answer_earns() {
    for (last, after_five, healthy_calls) in [(PE, 0.5, 5), (P, 0.0, 10)] {
        isolated(async {
            for _ in 0..5 {
                assert_eq!(small(&Dependency::script([Err(T), Err(last)])).await, Err(last));
            }
            assert_balance("budgets.small", after_five);

            let (result, calls) = report(small(&Dependency::script([Err(T)]))).await;
            assert_eq!((result, calls[0].reason()), (Err(T), Some(StopReason::BudgetExhausted)));

            let healthy = Dependency::always(Ok(()));
            for _ in 0..healthy_calls - 1 {
                assert_eq!(small(&healthy).await, Ok(()));
            }
            assert_eq!(small(&Dependency::script([Err(T)])).await, Err(T), "not yet");
            assert_eq!(small(&healthy).await, Ok(()));
            assert_eq!(small(&Dependency::script([Err(T), Ok(())])).await, Ok(()), "exactly one");
            assert_eq!(small(&Dependency::script([Err(T)])).await, Err(T));
        })
        .await;
    }
}

// R065
#[tokio::test(start_paused = true)]
async fn an_empty_bucket_recovers_by_answers_and_not_by_time() {
    isolated(async {
        drain_usual().await;
        tokio::time::advance(Duration::from_secs(3600)).await;
        assert_eq!(failing().await, REFUSED);
        succeed(10).await;
        assert_eq!([failing().await, failing().await], [RETRIED, REFUSED]);
        succeed(1000).await;
        for _ in 0..10 {
            assert_eq!(failing().await, RETRIED);
        }
        assert_eq!(failing().await, REFUSED);
    })
    .await;
}

struct Client {
    budget: &'static Budget,
}

impl Client {
    #[retry(attempts = 2, backoff = "none", budget = self.budget)]
    async fn call(
        &self,
        dependency: &Dependency,
    ) -> Result<(), RetryError<crate::bodies::Failure>> {
        dependency.answer()
    }
}

// R067
#[tokio::test(start_paused = true)]
async fn what_is_earned_is_exact_for_any_ratio() {
    for (ratio, earned) in [(0.1, 100), (0.3, 300), (0.6, 600), (0.7, 700), (0.9, 900)] {
        let budget = Budget::dynamic(format!("budgets.ratio-{ratio}")).burst(1000).ratio(ratio);
        let client = Client { budget: budget.declare().expect("a sensible budget") };
        let (healthy, dead) = (Dependency::always(Ok(())), Dependency::dead());
        let started = async |calls: usize| {
            let before = dead.bodies();
            for _ in 0..calls {
                assert!(client.call(&dead).await.is_err());
            }
            dead.bodies() - before - calls
        };
        isolated(async {
            assert_eq!(started(1001).await, 1000, "drained");
            for _ in 0..1000 {
                assert!(client.call(&healthy).await.is_ok());
            }
            assert_eq!(started(1000).await, earned, "ratio {ratio}");
            let refused = client.call(&dead).await.expect_err("the dependency is dead");
            assert_eq!(refused.reason(), StopReason::BudgetExhausted);
        })
        .await;
    }
}

// R069
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_refusals_at_once_take_nothing() {
    isolated(async {
        drain_usual().await;
        let tasks = (0..1000).map(|_| tokio::spawn(Context::capture().scope(failing())));
        for refused in join_all(tasks).await {
            assert_eq!(refused.expect("no task panics"), REFUSED);
        }
        assert_balance("budgets.usual", 0.0);
        assert_eq!(crate::bodies::budget("budgets.usual").stats().refused, 1000);
        succeed(10).await;
        assert_eq!([failing().await, failing().await], [RETRIED, REFUSED]);
    })
    .await;
}

// R071
#[tokio::test(start_paused = true)]
async fn idle_time_neither_freezes_nor_fills_a_budget() {
    isolated(async {
        tokio::time::advance(Duration::from_secs(3600)).await;
        for _ in 0..100 {
            failing().await;
        }
        let row = site("usual");
        assert_eq!(row.retries(), 10);
        assert_eq!(row.stops(StopReason::AttemptsExhausted), 10);
        assert_eq!(row.stops(StopReason::BudgetExhausted), 90);
    })
    .await;
}

// R073
#[tokio::test(start_paused = true)]
async fn failing_together_does_not_shrink_the_allowance() {
    isolated(async {
        let dead = Dependency::dead();
        let results = join_all((0..6).map(|_| together(&dead))).await;
        assert_eq!(results, [Err(T); 6]);
        assert_eq!(dead.bodies(), 6 + 3);
    })
    .await;
}

// R075
#[tokio::test(start_paused = true)]
async fn a_retry_is_paid_for_when_it_is_decided_not_when_it_starts() {
    isolated(async {
        let dead = Dependency::dead();
        let begun = tokio::time::Instant::now();
        let took = join_all((0..1000).map(|_| async {
            assert_eq!(fifth(&dead).await, Err(T));
            begun.elapsed()
        }))
        .await;
        assert_eq!(took.iter().filter(|took| took.is_zero()).count(), 990);
        assert_eq!(took.iter().filter(|took| **took == ms(20_000)).count(), 10);
        assert_eq!(dead.bodies(), 1010);
        assert_eq!(site("fifth").retries(), 10);
    })
    .await;
}

// R079
#[tokio::test(start_paused = true)]
async fn the_ratio_is_what_two_answers_earn() {
    isolated(async {
        let dead = Dependency::dead();
        for _ in 0..10 {
            assert_eq!(half(&dead).await, Err(T));
        }
        assert_eq!(dead.bodies(), 20);
        assert_balance("budgets.half", 0.0);
        let healthy = Dependency::always(Ok(()));
        assert_eq!([half(&healthy).await, half(&healthy).await], [Ok(()); 2]);
        assert_eq!([half(&dead).await, half(&dead).await], [Err(T); 2]);
        assert_eq!(dead.bodies(), 20 + 2 + 1, "exactly one retry");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_function_that_names_no_budget_has_ten_retries_of_its_own() {
    isolated(async {
        let dead = Dependency::dead();
        for _ in 0..12 {
            assert_eq!(own(&dead).await, Err(T));
        }
        assert_eq!(dead.bodies(), 12 + 10);
        assert_eq!(site("own").budget(), Some("(own)"));
        assert_eq!(failing().await, RETRIED, "another function has another bucket");
    })
    .await;
}
