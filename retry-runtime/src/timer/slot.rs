//! A wait that may be set again, in its place.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::{Mutex, PoisonError},
    task::{Context, Poll, ready},
};

use pin_project_lite::pin_project;

#[cfg(feature = "tokio-1")]
use super::tokio;
use super::{
    Sleep,
    force::{Force, force, time_of},
};
use crate::Moment;

/// Without tokio nothing is ever tokio's.
#[cfg(not(feature = "tokio-1"))]
mod tokio {
    use std::{
        pin::Pin,
        task::{Context, Poll},
    };

    #[derive(Debug)]
    pub(crate) enum Sleep {}

    #[expect(clippy::needless_pass_by_value, reason = "as tokio's is")]
    pub(super) fn poll(sleep: Pin<&mut Sleep>, _: &mut Context<'_>) -> Poll<()> {
        match *sleep {}
    }
}

pin_project! {
    /// The wait of a call, in the place where it was made: tokio's is reused, others are made anew each
    /// time.
    #[project = SlotProj]
    #[derive(Debug)]
    #[cfg_attr(not(feature = "tokio-1"), allow(dead_code))]
    pub(crate) enum Slot {
        /// Nothing to wait for.
        Empty,
        /// To be made at the first poll.
        Due { moment: Moment },
        Tokio {
            #[pin]
            sleep: tokio::Sleep,
        },
        Other { sleep: Shared },
    }
}

#[cfg(feature = "tokio-1")]
const _: () = assert!(
    size_of::<Slot>() == size_of::<tokio::Sleep>(),
    "what makes another timer possible costs those who use tokio's nothing",
);

/// A foreign wait. Only ever used through its owner; the lock, which nobody takes, makes it `Sync`, as
/// tokio's is, so that what contains it stays so.
pub(crate) struct Shared(Mutex<Sleep>);

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sleep").finish_non_exhaustive()
    }
}

impl Slot {
    pub(crate) const fn empty() -> Self {
        Self::Empty
    }

    /// For this moment, but made only when it is first polled.
    pub(crate) const fn due(moment: Moment) -> Self {
        Self::Due { moment }
    }

    /// Waits for this moment from here on.
    ///
    /// # Panics
    ///
    /// tokio's own panic, where tokio is the timer, outside of a runtime that has one.
    pub(crate) fn reset(mut self: Pin<&mut Self>, moment: Moment) {
        let other = match force() {
            #[cfg(feature = "tokio-1")]
            Force::Tokio => {
                let instant = tokio::instant(moment);
                if !matches!(*self, Self::Tokio { .. }) {
                    let sleep = tokio::sleep_until(instant);
                    self.as_mut().set(Self::Tokio { sleep });
                }
                // A new one too: this is what registers it with the runtime, before it is first polled.
                if let SlotProj::Tokio { sleep } = self.project() {
                    sleep.reset(instant);
                }
                return;
            }
            Force::Other(timer) => timer.sleep_until(time_of(moment)),
            Force::Nothing => Box::pin(Glance(moment)),
        };
        self.set(Self::Other { sleep: Shared(Mutex::new(other)) });
    }

    /// Ready once the moment has come.
    pub(crate) fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<()> {
        if let Self::Due { moment } = *self {
            self.as_mut().reset(moment);
        }
        match self.as_mut().project() {
            SlotProj::Empty | SlotProj::Due { .. } => Poll::Ready(()),
            SlotProj::Tokio { sleep } => tokio::poll(sleep, task),
            SlotProj::Other { sleep } => {
                let sleep = sleep.0.get_mut().unwrap_or_else(PoisonError::into_inner);
                // Made anew: what leaves the crate has to lie in memory, and this one then need not, where
                // the compiler sees as far as to whoever polls.
                ready!(sleep.as_mut().poll(&mut Context::from_waker(task.waker())));
                // What has been ready may not be polled again.
                self.set(Self::Empty);
                Poll::Ready(())
            }
        }
    }
}

/// Where there is nothing to wait with: whoever looks finds out.
struct Glance(Moment);

impl Future for Glance {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if super::now() < self.0 { Poll::Pending } else { Poll::Ready(()) }
    }
}
