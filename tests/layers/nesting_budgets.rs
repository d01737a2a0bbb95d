//! Who pays for the repetition of suppressed calls: a named budget bounds what reaches its
//! dependency, whoever repeats.

use crate::bodies::{Answer, Dependency, Expensive, Failure, T, assert_balance, site};
use stormless::{Budget, Context, RetryError, StopReason, budget, retry, testing::isolated};

budget! {
    static OUTER: Budget = Budget::new("paying.outer").burst(500).ratio(0.1);
    static OTHER: Budget = Budget::new("paying.other").burst(500).ratio(0.1);
    static INNER: Budget = Budget::new("paying.inner").burst(25).ratio(0.1);
    static SHARED: Budget = Budget::new("paying.shared").burst(10).ratio(0.1);
    static TINY: Budget = Budget::new("paying.tiny").burst(1).ratio(0.1);
    static FIRST: Budget = Budget::new("paying.first").burst(10).ratio(0.1);
    static SECOND: Budget = Budget::new("paying.second").burst(10).ratio(0.1);
}

#[retry(attempts = 3, backoff = "none", budget = INNER)]
async fn inner(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 3, backoff = "none", budget = OUTER, name = "search")]
async fn search(dependency: &Dependency) -> Result<(), RetryError<Failure>> {
    inner(dependency).await
}

#[retry(attempts = 4, backoff = "none", budget = OTHER, name = "checkout")]
async fn checkout(dependency: &Dependency) -> Result<(), RetryError<Failure>> {
    inner(dependency).await
}

#[retry(attempts = 5, backoff = "none", budget = none, name = "report")]
async fn nightly(dependency: &Dependency) -> Result<(), RetryError<Failure>> {
    inner(dependency).await
}

#[tokio::test(start_paused = true)]
async fn a_thousand_outer_calls_reach_a_dead_dependency_no_more_often_than_its_bound_says() {
    isolated(async {
        let dead = Dependency::dead();
        for _ in 0..1000 {
            assert!(search(&dead).await.is_err());
        }
        assert_eq!(dead.bodies(), 1000 + 25);
        assert_eq!(INNER.bound().retries(0), Some(25.0));
        assert_balance("paying.inner", 0.0);
        assert_balance("paying.outer", 500.0 - 25.0);
        assert_eq!(site("search").stops(StopReason::BudgetExhausted), 1000 - 12);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn answers_raise_the_bound_by_what_they_earn() {
    isolated(async {
        let (healthy, dead) = (Dependency::always(Ok(())), Dependency::dead());
        for _ in 0..500 {
            assert!(search(&healthy).await.is_ok());
            assert!(search(&dead).await.is_err());
        }
        assert_eq!(INNER.bound().retries(500), Some(75.0));
        // The very first answer found the bucket full, so it earned nothing.
        assert_eq!(dead.bodies(), 500 + 74);
        assert_balance("paying.inner", 0.9);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_bound_holds_for_all_outer_functions_together() {
    isolated(async {
        let dead = Dependency::dead();
        for _ in 0..400 {
            assert!(search(&dead).await.is_err());
            assert!(checkout(&dead).await.is_err());
            assert!(nightly(&dead).await.is_err());
        }
        assert_eq!(dead.bodies(), 3 * 400 + 25);
        let retries = ["search", "checkout", "report"].map(|name| site(name).retries());
        assert_eq!(retries.iter().sum::<u64>(), 25);
        assert_balance("paying.outer", 500.0 - f64::from(u32::try_from(retries[0]).unwrap()));
        assert_balance("paying.other", 500.0 - f64::from(u32::try_from(retries[1]).unwrap()));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_bound_holds_when_threads_race_for_the_last_retries() {
    isolated(async {
        let dead = std::sync::Arc::new(Dependency::dead());
        let tasks: Vec<_> = (0..8)
            .map(|_| {
                let dead = dead.clone();
                tokio::spawn(Context::capture().scope(async move {
                    for _ in 0..100 {
                        assert!(search(&dead).await.is_err());
                    }
                }))
            })
            .collect();
        for task in tasks {
            task.await.expect("no task panics");
        }
        assert_eq!(dead.bodies(), 800 + 25);
        assert_balance("paying.outer", 500.0 - 25.0);
    })
    .await;
}

#[retry(attempts = 3, backoff = "none", budget = TINY)]
async fn tiny(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 3, backoff = "none", budget = SECOND)]
async fn over_tiny(dependency: &Dependency) -> Answer {
    tiny(dependency).await
}

#[retry(attempts = 3, backoff = "none", budget = FIRST)]
async fn over_both(dependency: &Dependency) -> Result<(), RetryError<Failure>> {
    over_tiny(dependency).await
}

#[tokio::test(start_paused = true)]
async fn a_retry_pays_through_all_layers_or_nowhere() {
    isolated(async {
        let dead = Dependency::dead();
        let stopped = over_both(&dead).await.expect_err("the dependency is dead");
        assert_eq!((stopped.reason(), dead.bodies()), (StopReason::BudgetExhausted, 2));
        // The first retry was paid for in all three; the second one was refused in the last of them,
        // and what the others had granted is back.
        assert_balance("paying.tiny", 0.0);
        assert_balance("paying.second", 9.0);
        assert_balance("paying.first", 9.0);
    })
    .await;
}

#[retry(attempts = 3, backoff = "none", budget = TINY)]
async fn tiny_over_second(dependency: &Dependency) -> Result<(), RetryError<Failure>> {
    second(dependency).await
}

#[retry(attempts = 3, backoff = "none", budget = SECOND)]
async fn second(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn a_refusal_by_the_outer_budget_leaves_the_inner_one_alone() {
    isolated(async {
        let dead = Dependency::dead();
        let stopped = tiny_over_second(&dead).await.expect_err("the dependency is dead");
        assert_eq!((stopped.reason(), dead.bodies()), (StopReason::BudgetExhausted, 2));
        assert_balance("paying.tiny", 0.0);
        assert_balance("paying.second", 9.0);
    })
    .await;
}

#[retry(attempts = 3, backoff = "none", budget = SHARED)]
async fn shared(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 3, backoff = "none", budget = none)]
async fn free(dependency: &Dependency) -> Answer {
    shared(dependency).await
}

#[retry(attempts = 3, backoff = "none", budget = "paying.shared")]
async fn sharing(dependency: &Dependency) -> Answer {
    free(dependency).await
}

#[tokio::test(start_paused = true)]
async fn a_shared_budget_pays_once_for_a_retry() {
    isolated(async {
        let dead = Dependency::dead();
        assert_eq!((sharing(&dead).await, dead.bodies()), (Err(T), 3));
        assert_balance("paying.shared", 8.0);
    })
    .await;
}

#[retry(attempts = 3, backoff = "none", budget = none)]
async fn unpaid(dependency: &Dependency) -> Answer {
    free(dependency).await
}

#[tokio::test(start_paused = true)]
async fn layers_without_a_budget_pass_the_bill_on() {
    isolated(async {
        let dead = Dependency::dead();
        for _ in 0..10 {
            assert_eq!(unpaid(&dead).await, Err(T));
        }
        assert_eq!(dead.bodies(), 10 + 10);
        assert_balance("paying.shared", 0.0);
    })
    .await;
}

#[retry(attempts = 2, backoff = "none", budget = FIRST)]
async fn first_of_two(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = OUTER)]
async fn two_calls(dependency: &Dependency) -> Answer {
    let _ignored = first_of_two(dependency).await;
    second(dependency).await
}

#[tokio::test(start_paused = true)]
async fn only_the_inner_call_that_failed_last_is_charged_at_its_own_cost() {
    isolated(async {
        let failing = Dependency::script([Err(T), Err(Expensive), Err(T), Ok(())]);
        assert_eq!(two_calls(&failing).await, Ok(()));
        assert_balance("paying.first", 10.0);
        assert_balance("paying.second", 8.0);
        // The outer function's own failure was the expensive one too.
        assert_balance("paying.outer", 498.1);
    })
    .await;
}

#[retry(attempts = 3, backoff = "none", budget = OUTER)]
async fn spawning(dependency: &'static Dependency) -> Answer {
    let call = Context::capture().scope(async move { inner(dependency).await });
    tokio::spawn(call).await.expect("the task does not panic")
}

#[tokio::test]
async fn a_suppressed_call_in_a_task_with_the_context_is_charged_too() {
    isolated(async {
        let dead: &'static Dependency = Box::leak(Box::new(Dependency::dead()));
        assert_eq!((spawning(dead).await, dead.bodies()), (Err(T), 3));
        assert_balance("paying.inner", 25.0 - 2.0);
        assert_balance("paying.outer", 500.0 - 2.0);
    })
    .await;
}

budget! {
    static ASKED: Budget = Budget::new("nesting_budgets.asked").burst(5).ratio(0.0);
    static REFUSING: Budget = Budget::new("nesting_budgets.refusing").burst(1).ratio(0.0);
}

#[retry(budget = REFUSING, backoff = "none")]
async fn refused_leaf(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(budget = ASKED, backoff = "none", attempts = 5)]
async fn around_refused(dependency: &Dependency) -> Answer {
    refused_leaf(dependency).await
}

#[tokio::test(start_paused = true)]
async fn a_payment_that_one_budget_refuses_leaves_no_trace_in_the_other() {
    isolated(async {
        assert_eq!(around_refused(&Dependency::dead()).await, Err(T));
        let stats = ASKED.stats();
        assert_eq!((stats.withdrawn, stats.given_back, stats.refused), (1, 0, 0));
        assert_balance("nesting_budgets.asked", 4.0);
        assert_eq!(REFUSING.stats().refused, 1);
    })
    .await;
}
