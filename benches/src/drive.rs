//! Futures without a runtime.

use std::{
    future::poll_fn,
    pin::pin,
    task::{Context, Poll, Waker},
};

/// The output of a future that is ready when it is polled first.
///
/// # Panics
///
/// If it is not.
#[expect(clippy::inline_always, reason = "the loop around it is what is measured")]
#[inline(always)]
pub fn at_once<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => not_ready(),
    }
}

#[cold]
fn not_ready() -> ! {
    panic!("a success at once was kept waiting")
}

/// The output of a future that never waits for anything but its next turn.
#[expect(clippy::inline_always, reason = "the loop around it is what is measured")]
#[inline(always)]
pub fn to_end<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut task = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut task) {
            return output;
        }
    }
}

/// Not ready when it is polled first.
pub async fn wait_once() {
    let mut waited = false;
    poll_fn(|task| {
        if std::mem::replace(&mut waited, true) {
            return Poll::Ready(());
        }
        task.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
