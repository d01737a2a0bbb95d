//! Whether tokio is polling something on this thread, and so has other use for it.
//!
//! Tokio does not say so, but it treats what it polls in two ways that can be seen from inside: it
//! grants a task so many turns before it must make room for others, and it lets one that yields wait for
//! the others. In `spawn_blocking` and `block_in_place` it does neither.

use std::{
    future::Future,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

/// Whether a future is being polled here that others may be waiting for.
pub(super) fn is_polling() -> bool {
    // A worker's own task may have been relieved of counting its turns, by `unconstrained`; the future
    // that a multi-threaded runtime was started for is on no worker's thread.
    is_among_others() || is_granted(&mut Context::from_waker(Waker::noop()), u8::MAX)
}

/// Whether a scheduler keeps what yields here until others have had their turn; elsewhere it is woken at
/// once.
fn is_among_others() -> bool {
    let woken = Arc::new(Woken(AtomicBool::new(false)));
    let waker = Waker::from(Arc::clone(&woken));
    let yielded = pin!(tokio::task::yield_now()).poll(&mut Context::from_waker(&waker));
    yielded.is_pending() && !woken.0.load(Ordering::Relaxed)
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Whether what runs here was granted so many turns at most. Every turn taken to find out is given
/// back, the last one first.
fn is_granted(task: &mut Context<'_>, turns: u8) -> bool {
    match tokio::task::coop::poll_proceed(task) {
        Poll::Pending => true,
        Poll::Ready(_given_back) => turns > 0 && is_granted(task, turns - 1),
    }
}
