//! What an answered call earns when calls are nested: once, and not in a repetition.

use crate::bodies::{Answer, Dependency, PE, T, assert_balance};
use stormless::{Budget, budget, retry, testing::isolated};

budget! {
    static OUTER: Budget = Budget::new("earning.outer").burst(10).ratio(0.1);
    static MIDDLE: Budget = Budget::new("earning.middle").burst(10).ratio(0.1);
    static INNER: Budget = Budget::new("earning.inner").burst(10).ratio(0.1);
}

/// Takes retries from a budget, so that earnings show.
macro_rules! drain {
    ($($name:ident: $budget:ident;)+) => {$(
        #[retry(attempts = 6, backoff = "none", budget = $budget)]
        async fn $name() -> Answer {
            Err(T)
        }
    )+};
}

drain! {
    drain_outer: OUTER;
    drain_middle: MIDDLE;
    drain_inner: INNER;
}

/// All three budgets at 5.
async fn drained() {
    assert_eq!(drain_outer().await, Err(T));
    assert_eq!(drain_middle().await, Err(T));
    assert_eq!(drain_inner().await, Err(T));
}

#[retry(attempts = 3, backoff = "none", budget = INNER)]
async fn inner(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 3, backoff = "none", budget = INNER, nested = "independent")]
async fn independent(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 4, backoff = "none", budget = OUTER)]
async fn outer(dependency: &Dependency, own: &Dependency) -> Answer {
    let _answered = inner(dependency).await;
    own.answer()
}

#[tokio::test(start_paused = true)]
async fn a_suppressed_call_earns_in_the_first_outer_attempt_alone() {
    // An inner call that failed is charged for its repetitions, whether that was an answer or not.
    for (answer, charged) in [(Ok(()), 0.0), (Err(PE), 3.0)] {
        isolated(async {
            drained().await;
            let answering = Dependency::always(answer);
            let own = Dependency::script([Err(T), Err(T), Err(T), Ok(())]);
            assert_eq!(outer(&answering, &own).await, Ok(()));
            assert_eq!(answering.bodies(), 4);
            assert_balance("earning.inner", 5.0 + 0.1 - charged);
            assert_balance("earning.outer", 5.0 - 3.0 + 0.1);
        })
        .await;
    }
}

#[retry(attempts = 2, backoff = "none", budget = OUTER)]
async fn around_independent(dependency: &Dependency, own: &Dependency) -> Answer {
    independent(dependency).await?;
    own.answer()
}

#[tokio::test(start_paused = true)]
async fn an_independent_call_earns_in_each_outer_attempt() {
    isolated(async {
        drained().await;
        let (answering, own) = (Dependency::always(Ok(())), Dependency::script([Err(T), Ok(())]));
        assert_eq!(around_independent(&answering, &own).await, Ok(()));
        assert_balance("earning.inner", 5.2);
    })
    .await;
}

#[retry(attempts = 2, backoff = "none", budget = OUTER)]
async fn outermost(dependency: &Dependency, own: &Dependency) -> Answer {
    middle(dependency).await?;
    own.answer()
}

#[retry(attempts = 2, backoff = "none", budget = MIDDLE)]
async fn middle(dependency: &Dependency) -> Answer {
    inner(dependency).await
}

#[tokio::test(start_paused = true)]
async fn a_repetition_earns_nothing_in_any_layer_below() {
    isolated(async {
        drained().await;
        let (answering, own) = (Dependency::always(Ok(())), Dependency::script([Err(T), Ok(())]));
        assert_eq!(outermost(&answering, &own).await, Ok(()));
        assert_eq!(answering.bodies(), 2);
        assert_balance("earning.inner", 5.1);
        assert_balance("earning.middle", 5.1);
        assert_balance("earning.outer", 5.0 - 1.0 + 0.1);
    })
    .await;
}

#[retry(attempts = 2, backoff = "none", budget = INNER)]
async fn same_budget(dependency: &Dependency) -> Answer {
    inner(dependency).await
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn without_budget(dependency: &Dependency) -> Answer {
    inner(dependency).await
}

#[retry(attempts = 2, backoff = "none", budget = INNER)]
async fn same_budget_further_out(dependency: &Dependency) -> Answer {
    without_budget(dependency).await
}

#[tokio::test(start_paused = true)]
async fn one_answer_earns_once_in_a_budget_that_layers_share() {
    isolated(async {
        drained().await;
        let answering = Dependency::always(Ok(()));
        assert_eq!(same_budget(&answering).await, Ok(()));
        assert_balance("earning.inner", 5.1);
        assert_eq!(same_budget_further_out(&answering).await, Ok(()));
        assert_balance("earning.inner", 5.2);
        assert_eq!(inner(&answering).await, Ok(()));
        assert_balance("earning.inner", 5.3);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn budgets_that_differ_each_earn_from_the_same_answer() {
    isolated(async {
        drained().await;
        assert_eq!(middle(&Dependency::always(Ok(()))).await, Ok(()));
        assert_balance("earning.middle", 5.1);
        assert_balance("earning.inner", 5.1);
        assert_balance("earning.outer", 5.0);
    })
    .await;
}
