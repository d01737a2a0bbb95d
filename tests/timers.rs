//! By default tokio's timer is in force, and stays so once it was asked.

#[path = "support/script.rs"]
mod script;

use std::{
    future::{Future, pending, ready},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use script::{Outcome, Script, T, secs};
use stormless::{
    deadline::within,
    retry,
    timer::{Sleep, Timer, install},
};

struct Stopped;

impl Timer for Stopped {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
    fn sleep_until(&self, _: Duration) -> Sleep {
        Box::pin(pending())
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_comes_after_tokio_is_refused() {
    #[retry(backoff = "fixed", base = "1s", budget = none)]
    async fn fetch(script: &Script) -> Outcome {
        script.body().await
    }
    let script = Script::new([T, script::OK]);
    assert_eq!(fetch(&script).await, script::OK);
    assert!(install(Stopped).is_err());
    let script = Script::new([T, script::OK]);
    assert_eq!(fetch(&script).await, script::OK);
    assert_eq!(script.starts(), [secs(0), secs(1)]);
}

fn poll<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn outside_of_a_runtime_the_first_wait_panics_and_nothing_before_it() {
    // What is ready at once waits for nothing.
    assert_eq!(poll(within(secs(1), ready(7))), Poll::Ready(Ok(7)));
    let waits = AssertUnwindSafe(|| poll(within(secs(1), pending::<()>())));
    let message = catch_unwind(waits).expect_err("there is no runtime");
    let message = message.downcast_ref::<String>().map_or("", String::as_str);
    assert!(message.contains("Tokio 1.x runtime"), "{message}");
}
