//! Futures that are never kept waiting.

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

/// The output of a future that is ready when it is polled first: a success at once.
///
/// # Panics
///
/// If it is not.
#[expect(clippy::inline_always, reason = "the loop around it is what is measured")]
#[inline(always)]
pub fn now<F: Future>(future: F) -> F::Output {
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
