//! The time that something takes.

use std::{future::poll_fn, pin::pin, time::Duration};

use crate::{clock, timer};

/// Takes this long, on the timer in force: none at all where time is paused and nothing else is to do.
pub(super) async fn take(time: Duration) {
    if !time.is_zero() {
        let mut wait = pin!(timer::Slot::due(clock::now().after(time)));
        poll_fn(|task| wait.as_mut().poll(task)).await;
    }
}

/// The same on this thread.
pub(super) fn take_blocking(time: Duration) {
    if !time.is_zero() {
        timer::block_until(clock::now().after(time), time);
    }
}
