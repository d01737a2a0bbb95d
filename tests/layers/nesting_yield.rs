//! Where suppression yields: only where nobody outside can repeat the failure.

use crate::bodies::{Answer, Dependency, Failure, T, TM, reasons};
use stormless::{
    CallReport, StopReason,
    StopReason::{AttemptsExhausted, MaybeExecuted, Nested},
    report, retry,
};

#[retry(attempts = 3, backoff = "none", budget = none, idempotent = outer)]
async fn outer(outer: bool, inner: bool, dependency: &Dependency) -> Answer {
    leaf(inner, dependency).await
}

#[retry(name = "yielding", attempts = 3, backoff = "none", budget = none, idempotent = idempotent)]
async fn leaf(idempotent: bool, dependency: &Dependency) -> Answer {
    dependency.answer()
}

/// What a leaf that always fails with `failure` comes to.
async fn leaves(outer_idempotent: bool, inner_idempotent: bool, failure: Failure) -> Outcome {
    let dependency = Dependency::always(Err(failure));
    let (result, calls) = report(outer(outer_idempotent, inner_idempotent, &dependency)).await;
    assert_eq!(result, Err(failure));
    outcome(&dependency, &calls)
}

/// Bodies of the leaf, and the reasons of its calls.
type Outcome = (usize, Vec<Option<StopReason>>);

fn outcome(dependency: &Dependency, calls: &[CallReport]) -> Outcome {
    (dependency.bodies(), reasons(calls, "yielding"))
}

fn calls<const N: usize>(bodies: usize, each: StopReason) -> Outcome {
    (bodies, vec![Some(each); N])
}

#[tokio::test(start_paused = true)]
async fn it_yields_for_an_idempotent_inner_call_whose_failure_may_have_executed() {
    assert_eq!(leaves(false, true, TM).await, calls::<1>(3, AttemptsExhausted));
}

#[tokio::test(start_paused = true)]
async fn it_does_not_yield_where_the_outer_call_can_repeat_the_failure() {
    assert_eq!(leaves(true, true, TM).await, calls::<3>(3, Nested));
    assert_eq!(leaves(false, true, T).await, calls::<3>(3, Nested));
    assert_eq!(leaves(true, true, T).await, calls::<3>(3, Nested));
    assert_eq!(leaves(false, false, T).await, calls::<3>(3, Nested));
    assert_eq!(leaves(true, false, T).await, calls::<3>(3, Nested));
}

#[tokio::test(start_paused = true)]
async fn an_inner_call_that_is_not_idempotent_never_repeats_what_may_have_executed() {
    assert_eq!(leaves(false, false, TM).await, calls::<1>(1, MaybeExecuted));
    assert_eq!(leaves(true, false, TM).await, calls::<3>(3, MaybeExecuted));
}

#[retry(attempts = 3, backoff = "none", budget = none, idempotent)]
async fn outermost(middle: Middle, dependency: &Dependency) -> Answer {
    match middle {
        Middle::Suppressed => suppressed(dependency).await,
        Middle::Allowing => allowing(dependency).await,
        Middle::Independent => independent(dependency).await,
    }
}

#[derive(Clone, Copy)]
enum Middle {
    Suppressed,
    Allowing,
    Independent,
}

#[retry(attempts = 3, backoff = "none", budget = none)]
async fn suppressed(dependency: &Dependency) -> Answer {
    leaf(true, dependency).await
}

#[retry(attempts = 3, backoff = "none", budget = none, inner = "allow")]
async fn allowing(dependency: &Dependency) -> Answer {
    leaf(true, dependency).await
}

#[retry(attempts = 3, backoff = "none", budget = none, nested = "independent")]
async fn independent(dependency: &Dependency) -> Answer {
    leaf(true, dependency).await
}

async fn three_layers(middle: Middle) -> Outcome {
    let dependency = Dependency::always(Err(TM));
    let (result, calls) = report(outermost(middle, &dependency)).await;
    assert_eq!(result, Err(TM));
    outcome(&dependency, &calls)
}

#[tokio::test(start_paused = true)]
async fn any_enclosing_call_that_suppresses_and_is_idempotent_keeps_it_from_yielding() {
    assert_eq!(three_layers(Middle::Suppressed).await, calls::<3>(3, Nested));
    assert_eq!(three_layers(Middle::Allowing).await, calls::<3>(3, Nested));
}

#[tokio::test(start_paused = true)]
async fn an_independent_call_hides_what_suppresses_around_it() {
    // The leaf yields inside `independent`, which cannot repeat what may have executed; the outermost
    // call can, and does so with all three of the leaf's attempts each time.
    assert_eq!(three_layers(Middle::Independent).await, calls::<3>(9, AttemptsExhausted));
}

#[tokio::test(start_paused = true)]
async fn only_the_failure_that_nobody_else_repeats_is_repeated_inside() {
    // The first failure is the leaf's to repeat, the second one the outer call's.
    let dependency = Dependency::script([Err(TM), Err(T), Err(TM), Ok(())]);
    let (result, calls) = report(outer(false, true, &dependency)).await;
    assert_eq!((result, dependency.starts().len()), (Ok(()), 4));
    assert_eq!(reasons(&calls, "yielding"), [Some(Nested), None]);
    assert_eq!(calls.iter().map(CallReport::attempts).collect::<Vec<_>>(), [2, 2, 2]);
}
