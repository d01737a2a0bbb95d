//! What `testing` sets outside of isolated tests is the process's, so this is a test of its own. And where
//! assertions that fail say they stand.

use std::{
    panic::{AssertUnwindSafe, Location, catch_unwind},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use stormless::{
    Backoff, Policy, Retryable,
    testing::{Script, isolated, isolated_sync, no_delays, off, on, real_delays, schedule},
};

#[derive(Clone, Debug, PartialEq, Retryable)]
#[retryable(transient)]
struct Unavailable;

const POLICY: Policy = Policy::new()
    .attempts(4)
    .backoff(Backoff::Fixed)
    .base(Duration::from_secs(600))
    .max(Duration::from_secs(600));

async fn attempts() -> usize {
    let server = Script::new([Err::<(), _>(Unavailable)]).repeat_last();
    let _failed = POLICY.run(async || server.next().await).no_budget().named("fixed").await;
    server.calls()
}

#[tokio::test]
async fn what_is_set_outside_of_tests_is_the_process_s_and_no_test_s() {
    let begun = Instant::now();
    no_delays();
    let schedule = schedule();
    assert_eq!(attempts().await, 4);
    assert_eq!(schedule.attempts(), 4);
    // In a task and on a thread too.
    assert_eq!(tokio::spawn(attempts()).await.expect("it ends"), 4);
    assert_eq!(schedule.attempts(), 8);
    off();
    assert_eq!(attempts().await, 1);
    // Within a test neither holds, nor is anything heard of it.
    let waits = isolated(async {
        tokio::time::timeout(Duration::from_millis(5), attempts()).await.is_err()
    });
    assert!(waits.await, "a test has waits of its own");
    assert_eq!(schedule.attempts(), 9);
    on();
    assert_eq!(attempts().await, 4);
    real_delays();
    let waits = tokio::time::timeout(Duration::from_millis(5), attempts()).await.is_err();
    assert!(waits, "waits are real again");
    assert!(begun.elapsed() < Duration::from_secs(600));
}

#[test]
fn an_assertion_that_fails_says_where_it_stands() {
    let places = Arc::new(Mutex::new(Vec::new()));
    let hook = Arc::clone(&places);
    let usual = std::panic::take_hook();
    let thread = std::thread::current().id();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().id() == thread {
            let line = panic.location().map(Location::line);
            hook.lock().expect("nobody panics with the lock").push(line);
        } else {
            usual(panic);
        }
    }));
    let line = isolated_sync(|| {
        let schedule = schedule();
        let script = Script::new([1]);
        let line = line!();
        let first = catch_unwind(AssertUnwindSafe(|| schedule.assert_amplification(1.0)));
        let second = catch_unwind(AssertUnwindSafe(|| schedule.assert_delays([Duration::ZERO])));
        let third = catch_unwind(AssertUnwindSafe(|| schedule.assert_schedule("nothing")));
        let fourth = catch_unwind(AssertUnwindSafe(|| script.assert_used_up()));
        assert!(first.is_err() && second.is_err() && third.is_err() && fourth.is_err());
        line
    });
    drop(std::panic::take_hook());
    let places = places.lock().expect("nobody panics with the lock").clone();
    assert_eq!(places, [1, 2, 3, 4].map(|after| Some(line + after)));
}
