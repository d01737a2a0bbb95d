//! A timer is installed once.

use std::time::Duration;

use stormless::timer::{AlreadyInstalled, AsyncIo, FuturesTimer, Timer, install};

#[test]
fn a_second_timer_is_refused_and_the_first_stays() {
    assert_eq!(install(FuturesTimer), Ok(()));
    let refused: AlreadyInstalled = install(FuturesTimer).expect_err("there is one");
    assert_eq!(install(AsyncIo), Err(refused));
}

#[test]
fn the_longest_wait_that_can_be_asked_for_is_one() {
    for timer in [&FuturesTimer as &dyn Timer, &AsyncIo] {
        let mut sleep = timer.sleep_until(Duration::MAX);
        let task = &mut std::task::Context::from_waker(std::task::Waker::noop());
        assert!(sleep.as_mut().poll(task).is_pending());
        // What has passed is no wait.
        futures_executor::block_on(timer.sleep_until(Duration::ZERO));
        let now = timer.now();
        timer.block_until(Duration::ZERO);
        assert!(timer.can_block() && timer.now() >= now);
    }
}
