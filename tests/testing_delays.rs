//! `testing::off` and `testing::no_delays`: what is decided stays as it is.

#[path = "support/script.rs"]
mod support;

use std::time::{Duration, Instant};

use stormless::{
    CallReport, Context, Policy, StopReason, control, report, retry,
    testing::{
        Script, blocking_sleeps, isolated, isolated_sync, no_delays, off, on, real_delays, seed,
    },
};
use support::{Failure, OK, T, delays, ms, paused, ra, secs};

#[retry(attempts = 4, base = "100ms", max = "10s", budget = none, name = "testing.jittered")]
async fn jittered(server: &Script<Result<(), Failure>>) -> Result<(), Failure> {
    server.next().await
}

#[retry(attempts = 5, backoff = "fixed", base = "1s", deadline = "2500ms", budget = none, name = "testing.timed")]
async fn timed(server: &Script<Result<(), Failure>>) -> Result<(), Failure> {
    server.next().await
}

#[retry(blocking, attempts = 4, backoff = "fixed", base = "1h", max = "1h", budget = none, name = "testing.blocking")]
fn blocking(server: &Script<Result<(), Failure>>) -> Result<(), Failure> {
    server.next_blocking()
}

#[retry(attempts = 3, backoff = "none", budget = none, name = "testing.outer")]
async fn outer(server: &Script<Result<(), Failure>>) -> Result<(), Failure> {
    jittered(server).await
}

fn dead() -> Script<Result<(), Failure>> {
    Script::new([T]).repeat_last()
}

/// One call under the seed 7, in time that is paused: its report, and how much time went by.
fn seeded(
    prepare: fn(),
    outcomes: Vec<Result<(), Failure>>,
    timed_one: bool,
) -> (CallReport, Duration) {
    paused().block_on(isolated(async {
        seed(7);
        prepare();
        let server = Script::new(outcomes).repeat_last();
        let begun = tokio::time::Instant::now();
        let call = async { if timed_one { timed(&server).await } else { jittered(&server).await } };
        let (_result, calls) = report(call).await;
        assert_eq!(calls.len(), 1, "{calls:?}");
        (calls[0].clone(), begun.elapsed())
    }))
}

#[test]
fn calls_run_once_while_retries_are_off_and_again_when_they_are_on() {
    paused().block_on(isolated(async {
        off();
        let (server, (_, calls)) = (dead(), report(async { jittered(&dead()).await }).await);
        assert_eq!(calls[0].reason(), Some(StopReason::Disabled));
        assert_eq!((jittered(&server).await, server.calls()), (T, 1));
        assert!(control::overrides().to_string().contains("testing::off"));
        // A nested call is one too.
        assert_eq!((outer(&server).await, server.calls()), (T, 2));
        on();
        assert_eq!((jittered(&server).await, server.calls()), (T, 6));
    }));
}

#[test]
fn retries_are_off_in_one_test_alone() {
    isolated_sync(|| {
        off();
        isolated_sync(|| assert!(!control::all().is_off(), "another test's switch reached this"));
        assert!(control::all().is_off());
    });
    isolated_sync(|| assert!(!control::all().is_off()));
}

#[test]
fn the_delays_are_those_that_would_be_slept_and_no_time_goes_by() {
    let (slept, took) = seeded(|| {}, vec![T], false);
    let (skipped, none) = seeded(no_delays, vec![T], false);
    assert_eq!(skipped, slept);
    assert_eq!((took, none), (slept.slept(), Duration::ZERO));
    assert!(delays(&slept).iter().any(|delay| *delay > ms(1)), "{slept}");
}

#[test]
fn hints_make_delays_longer_and_stop_calls_as_they_would() {
    for wait in [secs(2), secs(11)] {
        let (slept, _) = seeded(|| {}, vec![ra(wait), OK], false);
        let (skipped, none) = seeded(no_delays, vec![ra(wait), OK], false);
        assert_eq!((&skipped, none), (&slept, Duration::ZERO), "{wait:?}");
    }
    let (kept, _) = seeded(no_delays, vec![ra(secs(2)), OK], false);
    assert!(kept.slept() >= secs(2), "{kept}");
    let (stopped, _) = seeded(no_delays, vec![ra(secs(11)), OK], false);
    assert_eq!(stopped.reason(), Some(StopReason::RetryAfterTooLong));
}

#[test]
fn a_deadline_stops_a_call_at_the_failure_at_which_it_would() {
    let (slept, took) = seeded(|| {}, vec![T], true);
    let (skipped, none) = seeded(no_delays, vec![T], true);
    assert_eq!((skipped.attempts(), skipped.reason()), (3, Some(StopReason::DeadlineTooClose)));
    assert_eq!(skipped, slept);
    assert_eq!((took, none), (secs(2), Duration::ZERO));
    // One that inherits it, too.
    let inherited = paused().block_on(isolated(async {
        no_delays();
        let policy = Policy::new().attempts(9).backoff(stormless::Backoff::Fixed).base(secs(1));
        let server = dead();
        let call = stormless::deadline::within(ms(2_500), async {
            policy.run(async || server.next().await).named("testing.inherits").await
        });
        assert_eq!(call.await, Ok(T));
        server.calls()
    }));
    assert_eq!(inherited, 3);
}

#[test]
fn blocking_functions_do_not_keep_their_thread() {
    isolated_sync(|| {
        no_delays();
        let begun = Instant::now();
        let server = dead();
        assert_eq!((blocking(&server), server.calls()), (T, 4));
        assert!(begun.elapsed() < secs(3_600), "three waits of an hour");
    });
}

#[test]
fn a_hook_for_waits_on_the_thread_is_called_as_ever() {
    let told = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let hook = std::rc::Rc::clone(&told);
    isolated_sync(|| {
        no_delays();
        let _guard = blocking_sleeps(move |delay| hook.borrow_mut().push(delay));
        assert_eq!(blocking(&dead()), T);
    });
    let told = told.borrow();
    assert_eq!(told.len(), 3);
    assert!(told.iter().all(|delay| *delay > secs(3_000)), "{told:?}");
}

#[test]
fn delays_are_slept_again_and_in_every_other_test() {
    paused().block_on(isolated(async {
        no_delays();
        real_delays();
        let begun = tokio::time::Instant::now();
        assert_eq!(timed(&dead()).await, T);
        assert_eq!(begun.elapsed(), secs(2));
        no_delays();
        isolated(async {
            let begun = tokio::time::Instant::now();
            assert_eq!(timed(&dead()).await, T);
            assert_eq!(begun.elapsed(), secs(2));
        })
        .await;
        let begun = tokio::time::Instant::now();
        assert_eq!(timed(&dead()).await, T);
        assert_eq!(begun.elapsed(), Duration::ZERO);
    }));
}

#[test]
fn a_task_takes_part_where_the_context_is_carried_to_it() {
    paused().block_on(isolated(async {
        no_delays();
        let elapsed = |carried: bool| async move {
            let call = async {
                let begun = tokio::time::Instant::now();
                assert_eq!(timed(&dead()).await, T);
                begun.elapsed()
            };
            let task = if carried {
                tokio::spawn(Context::capture().scope(call))
            } else {
                tokio::spawn(call)
            };
            task.await.expect("the task ends")
        };
        assert_eq!((elapsed(true).await, elapsed(false).await), (Duration::ZERO, secs(2)));
    }));
}

#[test]
fn other_tasks_have_their_turn_at_each_wait() {
    paused().block_on(isolated(async {
        no_delays();
        let server = dead();
        let seen = std::cell::RefCell::new(Vec::new());
        let other = async {
            for _ in 0..3 {
                seen.borrow_mut().push(server.calls());
                tokio::task::yield_now().await;
            }
        };
        // In this order each time, unlike in tokio's `join!`.
        let (result, ()) = futures_util::future::join(jittered(&server), other).await;
        assert_eq!((result, server.calls()), (T, 4));
        assert_eq!(*seen.borrow(), [1, 2, 3]);
    }));
}
