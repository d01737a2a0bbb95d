//! Functions that block: how long they sleep, and what stops them.

#[path = "support/bodies.rs"]
mod bodies;

use std::{
    cell::RefCell,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    rc::Rc,
    task::{Context, Waker},
    time::Duration,
};

use bodies::{Answer, Dependency, Failure, P, PE, T, TooLate, assert_balance, budget, ms, site};
use stormless::{
    Budget, Outcome, RetryError, StopReason, budget, control, report, retry,
    testing::{BlockingSleeps, blocking_sleeps, isolated, isolated_sync},
};
use tokio::runtime::{Builder, Runtime};

budget! {
    static PAID: Budget = Budget::new("blocking.paid").burst(2).ratio(0.5);
}

/// A runtime whose clock stands still; entered, but not running anything.
fn clock() -> Runtime {
    Builder::new_current_thread().enable_time().start_paused(true).build().expect("it can be built")
}

fn advance(time: Duration) {
    let _ = pin!(tokio::time::advance(time)).poll(&mut Context::from_waker(Waker::noop()));
}

type Slept = Rc<RefCell<Vec<u128>>>;

/// Moves the clock on instead of sleeping, and keeps the milliseconds.
fn sleeps() -> (Slept, BlockingSleeps) {
    let slept = Slept::default();
    let hook = Rc::clone(&slept);
    let guard = blocking_sleeps(move |time| {
        hook.borrow_mut().push(time.as_millis());
        advance(time);
    });
    (slept, guard)
}

#[retry(
    blocking,
    attempts = 6,
    backoff = "exponential",
    base = "10ms",
    max = "50ms",
    budget = none
)]
fn exponential(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[test]
fn the_waits_are_those_of_the_strategy() {
    let runtime = clock();
    let _inside = runtime.enter();
    let (slept, _guard) = sleeps();
    let dead = Dependency::dead();
    assert_eq!(exponential(&dead), Err(T));
    assert_eq!(*slept.borrow(), [10, 20, 40, 50, 50]);
    assert_eq!(dead.starts(), [0, 10, 30, 70, 120, 170]);
}

#[test]
fn a_permanent_failure_and_a_success_are_not_waited_for() {
    let runtime = clock();
    let _inside = runtime.enter();
    let (slept, _guard) = sleeps();
    for answers in [[Ok(())], [Err(P)], [Err(PE)]] {
        let dependency = Dependency::script(answers);
        assert_eq!((exponential(&dependency), dependency.bodies()), (answers[0], 1));
    }
    assert_eq!(*slept.borrow(), [0; 0]);
}

#[retry(blocking, attempts = 9, backoff = "fixed", base = "40ms", deadline = "100ms", budget = none)]
fn limited(dependency: &Dependency, each: Duration) -> Result<(), RetryError<Failure>> {
    let answer = dependency.answer();
    advance(each);
    answer
}

#[test]
fn the_deadline_is_never_slept_past() {
    let runtime = clock();
    let _inside = runtime.enter();
    for (each, waits, reason) in [
        (0, 2, StopReason::DeadlineTooClose),
        (1, 2, StopReason::DeadlineTooClose),
        (29, 1, StopReason::DeadlineTooClose),
        (30, 1, StopReason::DeadlineExceeded),
        (59, 1, StopReason::DeadlineExceeded),
        (60, 0, StopReason::DeadlineTooClose),
        (100, 0, StopReason::DeadlineExceeded),
        (500, 0, StopReason::DeadlineExceeded),
    ] {
        let (slept, _guard) = sleeps();
        let dead = Dependency::dead();
        let stopped = limited(&dead, ms(each)).expect_err("it is down");
        assert_eq!(*slept.borrow(), vec![40; waits], "{each} ms each");
        assert_eq!((stopped.reason(), dead.bodies()), (reason, waits + 1), "{each} ms each");
        assert_eq!(stopped.get_ref(), Some(&T), "the body's own error");
    }
}

#[test]
fn a_success_after_the_deadline_is_a_success() {
    let runtime = clock();
    let _inside = runtime.enter();
    assert!(limited(&Dependency::always(Ok(())), ms(500)).is_ok());
}

#[retry(
    blocking,
    attempts = 9,
    backoff = "none",
    deadline = left,
    min_remaining = "10ms",
    time_per_attempt = "30ms",
    budget = none
)]
fn planned(dependency: &Dependency, left: Duration) -> Answer {
    dependency.answer()
}

#[test]
fn attempts_for_which_there_is_no_time_do_not_start() {
    let runtime = clock();
    let _inside = runtime.enter();
    for (left, bodies) in [(0, 0), (10, 0), (11, 0), (29, 0), (30, 1), (100, 3)] {
        let dead = Dependency::dead();
        let error = if bodies == 0 { TooLate } else { T };
        assert_eq!(planned(&dead, ms(left)), Err(error), "{left} ms");
        assert_eq!(dead.bodies(), bodies, "{left} ms");
    }
}

#[retry(blocking, attempts = 3, backoff = "fixed", base = "10ms", budget = PAID, name = "paying")]
fn paying(dependency: &Dependency) -> Result<(), RetryError<Failure>> {
    dependency.answer()
}

/// Why it stopped, and after how many bodies.
fn stopped() -> (StopReason, usize) {
    let dead = Dependency::dead();
    let stopped = paying(&dead).expect_err("it is down");
    (stopped.reason(), dead.bodies())
}

#[test]
fn retries_are_paid_for_and_answers_earn() {
    isolated_sync(|| {
        let runtime = clock();
        let _inside = runtime.enter();
        let (slept, _guard) = sleeps();
        assert_eq!(stopped(), (StopReason::AttemptsExhausted, 3));
        assert_eq!(stopped(), (StopReason::BudgetExhausted, 1));
        assert_eq!(slept.borrow().len(), 2, "a refused retry is not waited for");
        assert_balance("blocking.paid", 0.0);
        for _ in 0..2 {
            assert!(paying(&Dependency::always(Ok(()))).is_ok());
        }
        assert_balance("blocking.paid", 1.0);
        assert_eq!(stopped(), (StopReason::BudgetExhausted, 2));
        let row = site("paying");
        assert_eq!((row.failures(), row.retries()), (6, 3));
    });
}

#[test]
fn a_wait_that_unwinds_gives_back_what_was_paid_for_it() {
    isolated_sync(|| {
        let guard = blocking_sleeps(|_| panic!("on purpose"));
        let dead = Dependency::dead();
        assert!(catch_unwind(AssertUnwindSafe(|| paying(&dead))).is_err());
        drop(guard);
        assert_eq!(dead.bodies(), 1);
        assert_balance("blocking.paid", 2.0);
        assert_eq!(budget("blocking.paid").stats().given_back, 1);
    });
}

#[test]
fn each_switch_stops_the_retries() {
    isolated_sync(|| {
        let runtime = clock();
        let _inside = runtime.enter();
        let (_, _guard) = sleeps();
        for switch in [
            control::all(),
            control::site("paying").expect("it is linked"),
            control::budget("blocking.paid").expect("it is declared"),
        ] {
            switch.off();
            assert_eq!(stopped(), (StopReason::Disabled, 1));
            switch.on();
        }
        assert_eq!(stopped(), (StopReason::AttemptsExhausted, 3));
    });
}

#[tokio::test(start_paused = true)]
async fn a_scope_without_retries_and_one_that_reports_hold_for_what_blocks_in_them() {
    isolated(async {
        let (_, _guard) = sleeps();
        let once = control::without_retries(async { stopped() }).await;
        assert_eq!(once, (StopReason::Disabled, 1));
        let (thrice, calls) = report(async { stopped() }).await;
        assert_eq!(thrice, (StopReason::AttemptsExhausted, 3));
        let [call] = &calls[..] else { panic!("{calls:?}") };
        assert_eq!((call.site(), call.outcome()), ("paying", Outcome::Failed));
        assert_eq!((call.slept(), call.delays().collect()), (ms(20), vec![ms(10); 2]));
    })
    .await;
}

#[retry(blocking, backoff = "none", on_retry = |_| panic!("on purpose"), name = "hooked")]
fn hooked(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[test]
fn a_hook_that_panics_changes_nothing() {
    isolated_sync(|| {
        assert_eq!(hooked(&Dependency::script([Err(T), Err(T), Ok(())])), Ok(()));
        assert_eq!(site("hooked").hook_panics(), 2);
    });
}
