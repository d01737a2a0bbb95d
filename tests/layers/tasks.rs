//! A call lives in the task that awaits it: no retry, wait or timeout spawns another.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use crate::script::{Failure, Outcome, T, ms};
use stormless::{Context, retry, testing::isolated};
use tokio::runtime::Handle;

const CALLS: usize = 1_000;

/// The most tasks that were alive at once, and how many bodies ran.
#[derive(Default)]
struct Seen {
    alive: AtomicUsize,
    bodies: AtomicUsize,
}

impl Seen {
    fn look(&self) {
        self.alive.fetch_max(Handle::current().metrics().num_alive_tasks(), Ordering::Relaxed);
    }

    fn body(&self) {
        self.look();
        self.bodies.fetch_add(1, Ordering::Relaxed);
    }
}

#[retry(attempts = 3, backoff = "fixed", base = "10ms", budget = none)]
async fn waiting(seen: &Seen) -> Outcome {
    seen.body();
    T
}

#[retry(attempts = 3, backoff = "none", budget = none)]
async fn at_once(seen: &Seen) -> Outcome {
    seen.body();
    T
}

#[retry(
    attempts = 3, backoff = "fixed", base = "10ms", budget = none, idempotent,
    attempt_timeout = "5ms", deadline = "1m"
)]
async fn cut(seen: &Seen) -> Outcome {
    seen.body();
    std::future::pending().await
}

/// Runs a thousand calls at once, each in a task, and looks at the tasks meanwhile.
macro_rules! tasks_of {
    ($call:ident, $ends:pat) => {
        isolated(async {
            let seen = Arc::new(Seen::default());
            let calls: Vec<_> = (0..CALLS)
                .map(|_| {
                    let seen = seen.clone();
                    tokio::spawn(Context::capture().scope(async move { $call(&seen).await }))
                })
                .collect();
            while calls.iter().any(|call| !call.is_finished()) {
                seen.look();
                tokio::time::sleep(ms(1)).await;
            }
            for call in calls {
                assert!(matches!(call.await.expect("it does not panic"), $ends));
            }
            assert_eq!(seen.bodies.load(Ordering::Relaxed), 3 * CALLS);
            assert_eq!(seen.alive.load(Ordering::Relaxed), CALLS, stringify!($call));
        })
        .await
    };
}

#[tokio::test(start_paused = true)]
async fn a_thousand_failing_calls_are_a_thousand_tasks() {
    tasks_of!(waiting, T);
    tasks_of!(at_once, T);
    tasks_of!(cut, Err(Failure::TimedOut));
    assert_eq!(Handle::current().metrics().num_alive_tasks(), 0, "and none is left behind");
}
