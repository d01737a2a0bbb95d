//! Any executor, with one thread that sleeps for all.

#[path = "support/calls.rs"]
#[macro_use]
mod calls;

use std::{sync::LazyLock, task::Poll};

use futures_executor::block_on;
use stormless::timer::{FuturesTimer, install};

static INSTALLED: LazyLock<()> =
    LazyLock::new(|| install(FuturesTimer).expect("nothing has asked for the time"));

fn run<F: Future>(future: F) -> F::Output {
    LazyLock::force(&INSTALLED);
    block_on(future)
}

every_call!(run);

#[test]
fn a_call_goes_on_on_another_thread() {
    let mut call = Box::pin(calls::sendable());
    // On a machine that is busy it may be over already.
    let result = match run(calls::poll_once(call.as_mut())) {
        Poll::Pending => std::thread::spawn(move || run(call)).join().expect("it does not panic"),
        Poll::Ready(result) => result,
    };
    assert_eq!(result, Ok(7));
}
