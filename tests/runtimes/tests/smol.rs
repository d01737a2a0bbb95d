//! smol, with its own timer.

#[path = "support/calls.rs"]
#[macro_use]
mod calls;

use std::{sync::LazyLock, task::Poll};

use smol::{block_on, spawn};
use stormless::timer::{AsyncIo, install};

static INSTALLED: LazyLock<()> =
    LazyLock::new(|| install(AsyncIo).expect("nothing has asked for the time"));

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
        Poll::Pending => run(spawn(call)),
        Poll::Ready(result) => result,
    };
    assert_eq!(result, Ok(7));
}

#[test]
fn another_executor_is_served_too() {
    LazyLock::force(&INSTALLED);
    futures_executor::block_on(calls::a_retry_follows_its_wait());
}
