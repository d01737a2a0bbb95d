//! Closures inside annotated functions and around them: one layer retries, and each layer's budget is paid.

use std::{cell::RefCell, future::IntoFuture, time::Duration};

use crate::bodies::{Answer, Dependency, P, T, assert_balance, ms, site};
use stormless::{
    Backoff, Budget, Inner, Nested, Policy, StopReason, budget, current, deadline, retry,
    testing::isolated,
};

budget! {
    static OUTER: Budget = Budget::new("closures.outer").burst(100).ratio(0.1);
    static INNER: Budget = Budget::new("closures.inner").burst(10).ratio(0.1);
}

const POLICY: Policy = Policy::new().attempts(3).backoff(Backoff::None);

#[retry(policy = POLICY, budget = OUTER, name = "nesting.outer")]
async fn annotated_outer(dependency: &Dependency) -> Answer {
    closure_inner(dependency).await
}

#[retry(policy = POLICY, budget = INNER, name = "nesting.inner")]
async fn annotated_inner(dependency: &Dependency) -> Answer {
    dependency.answer()
}

async fn closure_inner(dependency: &Dependency) -> Answer {
    POLICY.run(async || dependency.answer()).named("nesting.inner-closure").budget(&INNER).await
}

async fn lending_inner(dependency: &Dependency) -> Answer {
    let mut runs = 0;
    let call = POLICY.run_mut(async || {
        runs += 1;
        dependency.answer()
    });
    call.named("nesting.inner-closure").budget(&INNER).call().await
}

// R117
#[tokio::test(start_paused = true)]
async fn a_closure_inside_an_annotated_function_runs_once_and_is_paid_for_by_who_repeats_it() {
    isolated(async {
        let dead = Dependency::dead();
        assert_eq!(annotated_outer(&dead).await, Err(T));
        assert_eq!(dead.bodies(), 3);
        assert_balance("closures.outer", 98.0);
        assert_balance("closures.inner", 8.0);
        assert_eq!(site("nesting.inner-closure").stops(StopReason::Nested), 3);
        assert_eq!(site("nesting.inner-closure").lost_to_nesting(), 0);
    })
    .await;
}

// R117
#[tokio::test(start_paused = true)]
async fn an_annotated_function_inside_a_closure_runs_once_and_is_paid_for_by_who_repeats_it() {
    isolated(async {
        let dead = Dependency::dead();
        let call = POLICY.run(async || annotated_inner(&dead).await).named("nesting.around");
        assert_eq!(call.budget(&OUTER).await, Err(T));
        assert_eq!(dead.bodies(), 3);
        assert_balance("closures.outer", 98.0);
        assert_balance("closures.inner", 8.0);
        assert_eq!(site("nesting.inner").stops(StopReason::Nested), 3);
    })
    .await;
}

// R117
#[tokio::test(start_paused = true)]
async fn three_layers_of_three_make_three_calls_whatever_their_forms() {
    isolated(async {
        let dead = Dependency::dead();
        let call = POLICY.run(async || annotated_outer(&dead).await).named("nesting.third");
        assert_eq!((call.await, dead.bodies()), (Err(T), 3));
        let dead = Dependency::dead();
        let call = POLICY.run(async || {
            POLICY.run(async || lending_inner(&dead).await).named("nesting.second").await
        });
        assert_eq!((call.named("nesting.third").await, dead.bodies()), (Err(T), 3));
        let dead = Dependency::dead();
        let call = POLICY
            .run_blocking(|| POLICY.run_blocking(|| dead.answer()).named("nesting.second").call());
        assert_eq!((call.named("nesting.third").call(), dead.bodies()), (Err(T), 3));
    })
    .await;
}

// R117
#[tokio::test(start_paused = true)]
async fn a_policy_says_whether_calls_inside_may_retry() {
    isolated(async {
        for (outer, inner, bodies) in [
            (POLICY, POLICY.nested(Nested::Independent), 9),
            (POLICY.inner(Inner::Allow), POLICY, 9),
            (POLICY.attempts(1), POLICY, 3),
        ] {
            let dead = Dependency::dead();
            let call = outer.run(async || {
                inner.run(async || dead.answer()).named("nesting.allowed").no_budget().await
            });
            assert_eq!((call.no_budget().await, dead.bodies()), (Err(T), bodies));
        }
    })
    .await;
}

// R117
#[tokio::test(start_paused = true)]
async fn an_empty_inner_budget_refuses_the_outer_retry() {
    isolated(async {
        let dead = Dependency::dead();
        for _ in 0..20 {
            assert_eq!(annotated_outer(&dead).await, Err(T));
        }
        assert_eq!(dead.bodies(), 20 + 10);
        assert_balance("closures.inner", 0.0);
        assert_balance("closures.outer", 90.0);
        assert_eq!(site("nesting.outer").stops(StopReason::BudgetExhausted), 15);
    })
    .await;
}

// R119
#[tokio::test(start_paused = true)]
async fn what_a_closure_inside_knew_does_not_leak_out() {
    isolated(async {
        let hopeless = Dependency::always(Err(P));
        let inside = async || {
            let inner = POLICY.run(async || hopeless.answer()).named("nesting.hopeless");
            inner.no_budget().await.map_err(|_| T)
        };
        let call = POLICY.attempts(4).run(inside).named("nesting.mapping").no_budget();
        assert_eq!((call.await, hopeless.bodies()), (Err(T), 4));
        assert_eq!(site("nesting.hopeless").stops(StopReason::Permanent), 4);
        assert_eq!(site("nesting.mapping").stops(StopReason::AttemptsExhausted), 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_keys_of_calls_inside_are_the_same_in_each_attempt() {
    isolated(async {
        let keys = RefCell::new(Vec::new());
        let key = || current().expect("inside an attempt").idempotency_key().to_string();
        let inner = async || {
            let call = POLICY.run(async || {
                keys.borrow_mut().push(key());
                Err::<(), _>(T)
            });
            call.named("nesting.keyed").await
        };
        let outer = POLICY.run(async || {
            let (one, other) = (inner().await, inner().await);
            one.and(other)
        });
        assert_eq!(outer.named("nesting.keys").idempotency_key("order-7").await, Err(T));
        let keys = keys.into_inner();
        assert_eq!(keys.len(), 6);
        assert_ne!(keys[0], keys[1], "two calls of one site are two operations");
        assert_eq!((&keys[..2], &keys[..2]), (&keys[2..4], &keys[4..]));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_closure_inherits_a_deadline_and_steps_out_of_it() {
    isolated(async {
        let left = async || {
            let call = POLICY.run(async || Ok::<_, crate::bodies::Failure>(deadline::remaining()));
            (call.await.unwrap(), deadline::remaining())
        };
        let within = deadline::within(ms(100), left()).await.unwrap();
        assert_eq!(within, (Some(ms(100)), Some(ms(100))));
        let outer = POLICY.run(async || Ok::<_, crate::bodies::Failure>(left().await.0));
        assert_eq!(outer.uncut_deadline(ms(30)).await.unwrap(), Some(ms(30)));
        let stepped = POLICY.run(async || Ok::<_, crate::bodies::Failure>(deadline::remaining()));
        let stepped = deadline::within(Duration::from_secs(1), stepped.no_deadline().into_future());
        assert_eq!(stepped.await.unwrap().unwrap(), None);
    })
    .await;
}
