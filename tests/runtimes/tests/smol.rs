//! smol, with its own timer.

#[path = "support/calls.rs"]
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

#[test]
fn a_retry_follows_its_wait() {
    run(calls::a_retry_follows_its_wait());
}

#[test]
fn a_deadline_ends_what_runs_too_long() {
    run(calls::a_deadline_ends_what_runs_too_long());
}

#[test]
fn an_attempt_that_takes_too_long_is_repeated() {
    run(calls::an_attempt_that_takes_too_long_is_repeated());
}

#[test]
fn a_hedge_starts_beside_what_is_slow() {
    run(calls::a_hedge_starts_beside_what_is_slow());
}

#[test]
fn a_call_that_is_given_up_while_it_waits_gets_its_retry_back() {
    run(async { calls::a_call_that_is_given_up_while_it_waits_gets_its_retry_back() });
}

#[test]
fn a_function_that_blocks_keeps_its_thread() {
    run(async { calls::a_function_that_blocks_keeps_its_thread() });
}

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
