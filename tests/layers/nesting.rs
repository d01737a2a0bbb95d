//! Annotated calls inside the attempts of others: they do not multiply.

use crate::bodies::{Answer, Dependency, P, T, TM, assert_balance, ms, reasons};
use stormless::{Budget, RetryError, StopReason, budget, report, retry, testing::isolated};
use tokio::time::Instant;

budget! {
    static OUTER: Budget = Budget::new("nesting.outer").burst(10).ratio(0.1);
    static INNER: Budget = Budget::new("nesting.inner").burst(1).ratio(0.1);
}

/// Three functions, each inside the attempts of the one before it, with the given keys.
macro_rules! layers {
    ($($module:ident: $outer:tt $middle:tt $leaf:tt;)+) => {$(
        mod $module {
            use super::*;

            layers!(@layer outer $outer: dependency => middle(dependency).await);
            layers!(@layer middle $middle: dependency => leaf(dependency).await);
            layers!(@layer leaf $leaf: dependency => dependency.answer());
        }
    )+};
    (@layer $name:ident ($($keys:tt)*): $dependency:ident => $body:expr) => {
        #[retry(attempts = 3, backoff = "none", budget = none $($keys)*)]
        pub(super) async fn $name($dependency: &Dependency) -> Answer {
            $body
        }
    };
}

layers! {
    all_suppress: () () ();
    inner_ones_independent: () (, nested = "independent") (, nested = "independent");
    outer_ones_allow: (, inner = "allow") (, inner = "allow") ();
    leaf_independent: () () (, nested = "independent");
    outermost_allows: (, inner = "allow") () ();
}

/// The leaf's bodies in one outer call into a dead dependency.
macro_rules! leaf_bodies {
    ($module:ident) => {{
        let dead = Dependency::dead();
        assert_eq!($module::outer(&dead).await, Err(T));
        dead.bodies()
    }};
}

// R117
#[tokio::test(start_paused = true)]
async fn three_layers_of_three_attempts_make_three_calls() {
    let dead = Dependency::dead();
    let (result, calls) = report(all_suppress::outer(&dead)).await;
    assert_eq!((result, dead.bodies()), (Err(T), 3));
    let nested = [Some(StopReason::Nested); 3];
    assert_eq!(reasons(&calls, "layers::nesting::all_suppress::leaf"), nested);
    assert_eq!(reasons(&calls, "layers::nesting::all_suppress::middle"), nested);
    let outer = reasons(&calls, "layers::nesting::all_suppress::outer");
    assert_eq!(outer, [Some(StopReason::AttemptsExhausted)]);
}

// R117
#[tokio::test(start_paused = true)]
async fn whoever_opts_out_multiplies() {
    assert_eq!(leaf_bodies!(inner_ones_independent), 27);
    assert_eq!(leaf_bodies!(outer_ones_allow), 27);
    assert_eq!(leaf_bodies!(leaf_independent), 9);
    assert_eq!(leaf_bodies!(outermost_allows), 9);
}

#[retry(attempts = 3, backoff = "none", budget = OUTER)]
async fn paying(dependency: &Dependency) -> Result<(), RetryError<crate::bodies::Failure>> {
    paid_for(dependency).await
}

#[retry(attempts = 3, backoff = "none", budget = INNER)]
async fn paid_for(dependency: &Dependency) -> Answer {
    dependency.answer()
}

// R117
#[tokio::test(start_paused = true)]
async fn an_outer_retry_is_paid_for_in_the_inner_budget_too() {
    isolated(async {
        let dead = Dependency::dead();
        let stopped = paying(&dead).await.expect_err("the dependency is dead");
        assert_eq!(stopped.reason(), StopReason::BudgetExhausted);
        assert_eq!(dead.bodies(), 2);
        assert_balance("nesting.outer", 9.0);
        assert_balance("nesting.inner", 0.0);
    })
    .await;
}

#[retry(attempts = 3, backoff = "none", budget = none)]
async fn not_idempotent(dependency: &Dependency, bodies: &mut u32) -> Answer {
    *bodies += 1;
    idempotent(dependency).await
}

#[retry(attempts = 3, backoff = "none", budget = none, idempotent)]
async fn idempotent(dependency: &Dependency) -> Answer {
    dependency.answer()
}

// R117
#[tokio::test(start_paused = true)]
async fn suppression_yields_where_nobody_outside_can_repeat_the_failure() {
    let (lossy, mut outer_bodies) = (Dependency::always(Err(TM)), 0);
    let (result, calls) = report(not_idempotent(&lossy, &mut outer_bodies)).await;
    assert_eq!((result, lossy.bodies(), outer_bodies), (Err(TM), 3, 1));
    let inner = reasons(&calls, "layers::nesting::idempotent");
    assert_eq!(inner, [Some(StopReason::AttemptsExhausted)]);
    let outer = reasons(&calls, "layers::nesting::not_idempotent");
    assert_eq!(outer, [Some(StopReason::MaybeExecuted)]);
}

#[retry(attempts = 4, backoff = "none", budget = none)]
async fn mapping(dependency: &Dependency) -> Answer {
    plain(dependency).await.map_err(|_| T)
}

#[retry(attempts = 3, backoff = "none", budget = none)]
async fn plain(dependency: &Dependency) -> Answer {
    dependency.answer()
}

// R119
#[tokio::test(start_paused = true)]
async fn what_the_inner_call_knew_does_not_leak_to_the_outer() {
    let hopeless = Dependency::always(Err(P));
    let (result, calls) = report(mapping(&hopeless)).await;
    assert_eq!((result, hopeless.bodies()), (Err(T), 4));
    let inner = reasons(&calls, "layers::nesting::plain");
    assert_eq!(inner, [Some(StopReason::Permanent); 4]);
    let outer = reasons(&calls, "layers::nesting::mapping");
    assert_eq!(outer, [Some(StopReason::AttemptsExhausted)]);
}

#[retry(attempts = 1, budget = none)]
async fn single(dependency: &Dependency) -> Answer {
    plain(dependency).await
}

#[tokio::test(start_paused = true)]
async fn a_function_that_never_repeats_leaves_the_retrying_to_the_inner_ones() {
    let dead = Dependency::dead();
    let (result, calls) = report(single(&dead)).await;
    assert_eq!((result, dead.bodies()), (Err(T), 3));
    let inner = reasons(&calls, "layers::nesting::plain");
    assert_eq!(inner, [Some(StopReason::AttemptsExhausted)]);
}

#[retry(attempts = 2, backoff = "none", budget = none, idempotent)]
async fn around_limits(deadline: bool) -> Answer {
    if deadline { with_deadline().await } else { with_timeout().await }
}

#[retry(attempt_timeout = "100ms", budget = none, idempotent)]
async fn with_timeout() -> Answer {
    std::future::pending().await
}

#[retry(deadline = "70ms", budget = none, idempotent)]
async fn with_deadline() -> Answer {
    std::future::pending().await
}

#[tokio::test(start_paused = true)]
async fn a_suppressed_call_still_honours_its_timeout_and_its_deadline() {
    for (deadline, expected, reason, took) in [
        (false, crate::bodies::TooSlow, StopReason::Nested, ms(200)),
        (true, crate::bodies::TooLate, StopReason::DeadlineExceeded, ms(140)),
    ] {
        let begun = Instant::now();
        let (result, calls) = report(around_limits(deadline)).await;
        assert_eq!((result, begun.elapsed()), (Err(expected), took));
        let inner: Vec<_> = calls[..2].iter().map(stormless::CallReport::reason).collect();
        assert_eq!(inner, [Some(reason); 2]);
        assert_eq!(calls[2].reason(), Some(StopReason::AttemptsExhausted));
    }
}
