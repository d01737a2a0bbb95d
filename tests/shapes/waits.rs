//! What blocking functions would have slept.

use std::{cell::RefCell, rc::Rc, time::Duration};

use stormless::testing::{BlockingSleeps, blocking_sleeps};

/// Takes the place of all sleeps on this thread.
pub(crate) struct Waits {
    slept: Rc<RefCell<Vec<Duration>>>,
    _guard: BlockingSleeps,
}

impl Waits {
    pub(crate) fn start() -> Self {
        Self::with(|| ())
    }

    /// Looks on at each wait.
    pub(crate) fn with(mut meanwhile: impl FnMut() + 'static) -> Self {
        let slept = Rc::<RefCell<Vec<Duration>>>::default();
        let hook = Rc::clone(&slept);
        let guard = blocking_sleeps(move |time| {
            hook.borrow_mut().push(time);
            meanwhile();
        });
        Self { slept, _guard: guard }
    }

    /// How often.
    pub(crate) fn count(&self) -> usize {
        self.slept.borrow().len()
    }
}
