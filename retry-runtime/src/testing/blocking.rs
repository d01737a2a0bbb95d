//! Waits of functions that are not async, without waiting.

use std::{cell::RefCell, time::Duration};

type Hook = Box<dyn FnMut(Duration)>;

thread_local! {
    static SLEEPS: RefCell<Option<Hook>> = const { RefCell::new(None) };
}

/// From here on, functions marked `blocking` do not sleep on this thread but call `hook` with the time
/// that they would sleep, until the guard is dropped.
///
/// The hook may record the delays or move a clock; inside a tokio runtime with paused time, poll
/// `tokio::time::advance` in it.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::{cell::RefCell, io::{Error, ErrorKind::ConnectionRefused}, rc::Rc, time::Duration};
/// use stormless::{Backoff, Policy, testing::{blocking_sleeps, isolated_sync}};
///
/// isolated_sync(|| {
///     let delays = Rc::new(RefCell::new(Vec::new()));
///     let hook = Rc::clone(&delays);
///     let guard = blocking_sleeps(move |delay| hook.borrow_mut().push(delay));
///     let minute = Duration::from_secs(60);
///     let policy = Policy::new().backoff(Backoff::Fixed).base(minute).max(minute);
///     let refused = || Err::<(), _>(Error::from(ConnectionRefused));
///     assert!(policy.run_blocking(refused).call().is_err());
///     assert_eq!(delays.borrow().len(), 2);
///     assert!(delays.borrow().iter().all(|delay| *delay > minute / 2 && *delay <= minute));
///     drop(guard);
/// });
/// ```
pub fn blocking_sleeps(hook: impl FnMut(Duration) + 'static) -> BlockingSleeps {
    BlockingSleeps { before: SLEEPS.replace(Some(Box::new(hook))) }
}

/// Keeps the hook of [`blocking_sleeps`] in force on this thread.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::{io::{Error, ErrorKind::ConnectionRefused}, time::{Duration, Instant}};
/// use stormless::{Backoff, Policy, testing::{BlockingSleeps, blocking_sleeps, isolated_sync}};
///
/// /// Whoever holds one does not wait.
/// struct Quick { _waits: BlockingSleeps }
///
/// isolated_sync(|| {
///     let quick = Quick { _waits: blocking_sleeps(|_| {}) };
///     let hour = Duration::from_secs(3_600);
///     let refused = || Err::<(), _>(Error::from(ConnectionRefused));
///     let begun = Instant::now();
///     let policy = Policy::new().backoff(Backoff::Fixed).base(hour).max(hour);
///     assert!(policy.run_blocking(refused).call().is_err());
///     assert!(begun.elapsed() < hour);
///     drop(quick); // waits are slept again
/// });
/// ```
#[must_use = "sleeps are real again as soon as this is dropped"]
pub struct BlockingSleeps {
    before: Option<Hook>,
}

impl std::fmt::Debug for BlockingSleeps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockingSleeps").finish_non_exhaustive()
    }
}

impl Drop for BlockingSleeps {
    fn drop(&mut self) {
        SLEEPS.set(self.before.take());
    }
}

/// Calls the hook, if there is one.
pub(crate) fn sleeps_instead(time: Duration) -> bool {
    // Taken out while it runs: it may call blocking functions itself.
    let Some(mut hook) = SLEEPS.take() else { return false };
    hook(time);
    SLEEPS.set(Some(hook));
    true
}
