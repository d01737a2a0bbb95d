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
/// use std::{cell::RefCell, rc::Rc};
///
/// let delays = Rc::new(RefCell::new(Vec::new()));
/// let guard = stormless::testing::blocking_sleeps({
///     let delays = Rc::clone(&delays);
///     move |delay| delays.borrow_mut().push(delay)
/// });
/// // … calls of blocking functions in here take no time
/// drop(guard);
/// ```
pub fn blocking_sleeps(hook: impl FnMut(Duration) + 'static) -> BlockingSleeps {
    BlockingSleeps { before: SLEEPS.replace(Some(Box::new(hook))) }
}

/// Keeps the hook of [`blocking_sleeps`] in force on this thread.
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
