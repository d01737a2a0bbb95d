//! Calls that do not end where they began: cut with their attempt, finished elsewhere, outliving the
//! one around them, or dropped beside a panic.

use std::{
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use crate::bodies::{Answer, Dependency, T, TooSlow, budget as budget_row, ms, site};
use futures_util::FutureExt;
use stormless::{
    Budget, Context, Outcome, StopReason, budget, control, current, report, retry,
    testing::isolated,
};

budget! {
    static HANGING: Budget = Budget::new("stragglers.hanging").burst(2).ratio(0.0);
    static BELOW: Budget = Budget::new("stragglers.below").burst(10);
    static LATE: Budget = Budget::new("stragglers.late");
    static SWITCHED: Budget = Budget::new("stragglers.switched");
}

#[retry(budget = BELOW, idempotent)]
async fn hang_below(dependency: &Dependency) -> Answer {
    let _ = dependency.answer();
    std::future::pending().await
}

#[retry(budget = HANGING, idempotent)]
async fn hang(dependency: &Dependency) -> Answer {
    hang_below(dependency).await
}

#[retry(budget = none, backoff = "none", attempt_timeout = "1s", idempotent, attempts = 3)]
async fn cut_what_hangs(dependency: &Dependency) -> Answer {
    hang(dependency).await
}

#[tokio::test(start_paused = true)]
async fn what_is_cut_with_its_attempt_is_paid_for_when_the_attempt_is_repeated() {
    isolated(async {
        let dependency = Dependency::dead();
        for _ in 0..10 {
            assert_eq!(cut_what_hangs(&dependency).await, Err(TooSlow));
        }
        assert_eq!(dependency.bodies(), 10 + 2, "first calls, and what the budget holds");
        assert_eq!(budget_row("stragglers.below").stats().spent(), 2, "each layer pays");
    })
    .await;
}

#[retry(budget = HANGING)]
async fn wait_for_ever() -> Answer {
    std::future::pending().await
}

#[retry(budget = none, backoff = "none", attempts = 2)]
async fn give_up_waiting() -> Answer {
    tokio::select! {
        _ = wait_for_ever() => unreachable!("it waits for ever"),
        () = tokio::time::sleep(ms(5)) => Err(T),
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_body_itself_drops_is_not_paid_for() {
    isolated(async {
        assert_eq!(give_up_waiting().await, Err(T));
        assert_eq!(budget_row("stragglers.hanging").stats().withdrawn, 0);
    })
    .await;
}

#[retry(budget = SWITCHED, backoff = "none")]
async fn switched_leaf(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(budget = none, backoff = "none")]
async fn around_switched(dependency: &Dependency) -> Answer {
    switched_leaf(dependency).await
}

#[tokio::test(start_paused = true)]
async fn a_budget_that_is_off_pays_for_no_repetition_from_outside() {
    isolated(async {
        control::budget("stragglers.switched").unwrap().off();
        let dead = Dependency::dead();
        let (result, calls) = report(around_switched(&dead)).await;
        assert_eq!((result, dead.bodies()), (Err(T), 1));
        assert_eq!(calls.last().unwrap().reason(), Some(StopReason::Disabled));
        assert_eq!(budget_row("stragglers.switched").stats().withdrawn, 0);
    })
    .await;
}

#[retry(budget = LATE)]
async fn fail_late() -> Answer {
    tokio::time::sleep(ms(15)).await;
    Err(T)
}

#[retry(budget = none, backoff = "fixed", base = "10ms", attempts = 3)]
async fn leave_one_behind(bodies: &AtomicU32) -> Answer {
    if bodies.fetch_add(1, Relaxed) == 0 {
        tokio::spawn(Context::capture().scope(async {
            assert_eq!(fail_late().await, Err(T));
        }));
    } else {
        tokio::time::sleep(ms(20)).await;
    }
    Err(T)
}

#[tokio::test(start_paused = true)]
async fn a_straggler_of_one_attempt_is_not_charged_to_the_next() {
    isolated(async {
        assert_eq!(leave_one_behind(&AtomicU32::new(0)).await, Err(T));
        assert_eq!(budget_row("stragglers.late").stats().withdrawn, 0);
        assert_eq!(site("layers::stragglers::fail_late").lost_to_nesting(), 1, "nobody repeats it");
    })
    .await;
}

type Kept = Pin<Box<dyn Future<Output = Answer> + Send>>;

#[retry(budget = none, backoff = "none", attempts = 1, inner = "suppress")]
async fn begin(kept: &mut Option<Kept>) -> Answer {
    let mut inner: Kept = Box::pin(fail_late());
    assert!((&mut inner).now_or_never().is_none(), "it has begun and waits");
    *kept = Some(inner);
    Ok(())
}

#[retry(budget = none, backoff = "none", attempts = 2)]
async fn begin_inside(kept: &mut Option<Kept>) -> Answer {
    let mut inner: Kept = Box::pin(fail_late());
    assert!((&mut inner).now_or_never().is_none(), "it has begun and waits");
    *kept = Some(inner);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_finished_elsewhere_is_lost_and_tells_nobody() {
    isolated(async {
        let mut kept = None;
        assert_eq!(begin_inside(&mut kept).await, Ok(()));
        assert_eq!(kept.unwrap().await, Err(T));
        assert_eq!(site("layers::stragglers::fail_late").lost_to_nesting(), 1);
        let mut free = None;
        assert_eq!(begin(&mut free).await, Ok(()));
        drop(free);
    })
    .await;
}

#[retry(budget = none, backoff = "none")]
async fn lose_three() -> Answer {
    let _ = tokio::join!(fail_late(), fail_late(), fail_late());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn every_failure_that_nobody_retries_is_counted() {
    isolated(async {
        assert_eq!(lose_three().await, Ok(()));
        let row = site("layers::stragglers::fail_late");
        assert_eq!((row.stops(StopReason::Nested), row.lost_to_nesting()), (3, 3));
    })
    .await;
}

#[retry(budget = none, backoff = "fixed", base = "10s", name = "sleeper")]
async fn fall_asleep() -> Answer {
    Err(T)
}

#[tokio::test(start_paused = true)]
async fn a_call_that_another_ones_panic_drops_is_cancelled() {
    isolated(async {
        let both = async {
            tokio::join!(fall_asleep(), async {
                tokio::task::yield_now().await;
                panic!("on purpose");
            })
        };
        let (unwound, calls) = report(AssertUnwindSafe(both).catch_unwind()).await;
        assert!(unwound.is_err());
        assert_eq!(calls[0].outcome(), Outcome::Cancelled);
        assert_eq!(calls[0].reason(), Some(StopReason::Cancelled));
    })
    .await;
}

struct NoCopy;

impl Clone for NoCopy {
    fn clone(&self) -> Self {
        panic!("on purpose");
    }
}

#[retry(budget = none, clone(argument))]
async fn copy_first(argument: NoCopy) -> Answer {
    let NoCopy = argument;
    Ok(())
}

#[tokio::test]
async fn an_attempt_whose_arguments_cannot_be_made_has_not_started() {
    let call = AssertUnwindSafe(copy_first(NoCopy)).catch_unwind();
    let (unwound, calls) = report(call).await;
    assert!(unwound.is_err());
    assert_eq!((calls[0].outcome(), calls[0].attempts()), (Outcome::Panicked, 0));
}

#[retry(budget = none)]
async fn take_a_while() -> Answer {
    tokio::time::sleep(ms(1_000)).await;
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn an_outer_report_has_what_outlives_an_inner_one_and_sees_into_isolated_tests() {
    let ((), calls) = report(async {
        let mut task = None;
        let spawning = async {
            task = Some(tokio::spawn(Context::capture().scope(take_a_while())));
        };
        let ((), inner) = report(spawning).await;
        assert!(inner.is_empty());
        assert_eq!(task.unwrap().await.unwrap(), Ok(()));
        isolated(async { assert_eq!(take_a_while().await, Ok(())) }).await;
    })
    .await;
    assert_eq!(calls.len(), 2);
}

#[retry(budget = none)]
async fn key_in_a_task() -> Result<(String, String), crate::bodies::Failure> {
    let attempt = current().expect("it is running");
    let here = attempt.idempotency_key().to_string();
    let task = tokio::spawn(async move { attempt.idempotency_key().to_string() });
    Ok((here, task.await.expect("it does not panic")))
}

#[tokio::test]
async fn an_attempt_that_is_carried_into_a_task_keeps_its_key() {
    let (here, there) = key_in_a_task().await.unwrap();
    assert_eq!(here, there);
}

struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("on purpose");
    }
}

#[retry(budget = none, attempt_timeout = "10ms")]
async fn hang_holding_a_panic() -> Answer {
    let _held = PanicsWhenDropped;
    std::future::pending().await
}

#[derive(Debug)]
struct CopiedOnce(bool);

impl Clone for CopiedOnce {
    fn clone(&self) -> Self {
        assert!(!COPIED.swap(true, Relaxed), "on purpose");
        Self(self.0)
    }
}

static COPIED: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

#[retry(budget = BELOW, backoff = "fixed", base = "1s", clone(argument))]
async fn copied_for_the_first_attempt_alone(argument: CopiedOnce) -> Answer {
    if argument.0 { Err(T) } else { Ok(()) }
}

#[tokio::test(start_paused = true)]
async fn what_unwinds_through_a_call_is_its_own_panic() {
    isolated(async {
        let (unwound, calls) =
            report(AssertUnwindSafe(hang_holding_a_panic()).catch_unwind()).await;
        assert!(unwound.is_err());
        assert_eq!(calls[0].outcome(), Outcome::Panicked);
        let call = AssertUnwindSafe(copied_for_the_first_attempt_alone(CopiedOnce(true)));
        let (unwound, calls) = report(call.catch_unwind()).await;
        assert!(unwound.is_err());
        assert_eq!((calls[0].outcome(), calls[0].attempts()), (Outcome::Panicked, 1));
        let stats = budget_row("stragglers.below").stats();
        assert_eq!((stats.withdrawn, stats.given_back), (1, 1), "the retry did not start");
    })
    .await;
}

#[retry(budget = none, nested = "independent", backoff = "none", idempotent)]
async fn independent_above_what_hangs(dependency: &Dependency) -> Answer {
    hang(dependency).await
}

#[retry(budget = none, backoff = "none", attempt_timeout = "1s", idempotent, attempts = 3)]
async fn cut_what_is_independent(dependency: &Dependency) -> Answer {
    independent_above_what_hangs(dependency).await
}

#[tokio::test(start_paused = true)]
async fn what_an_independent_call_would_repeat_itself_is_not_owed_to_a_cut_around_it() {
    isolated(async {
        let dependency = Dependency::dead();
        assert_eq!(cut_what_is_independent(&dependency).await, Err(TooSlow));
        assert_eq!(dependency.bodies(), 3);
        assert_eq!(budget_row("stragglers.hanging").stats().withdrawn, 0);
    })
    .await;
}
