//! The wait before a retry.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use super::{Call, Phase, cold::Armed};

/// The wait before the next attempt, where its arguments are to be made after it: elsewhere the attempt
/// waits by itself.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Pause<'call>(&'call mut Call);

impl Call {
    /// Waits for the moment of the next attempt. Nothing of the last one lives through it.
    #[inline]
    pub fn pause(&mut self) -> Pause<'_> {
        Pause(self)
    }
}

impl Future for Pause<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<()> {
        self.0.poll_pause(task)
    }
}

impl Call {
    /// Ready, and the next attempt due, once the wait before it is over.
    pub(super) fn poll_pause(&mut self, task: &mut Context<'_>) -> Poll<()> {
        let mut cold = self.heat();
        match cold.armed {
            Armed::Pause => {
                let polled = cold.poll_timer(task);
                if polled.is_ready() {
                    self.phase = Phase::Due;
                }
                polled
            }
            // Without a delay other tasks still get their turn, so that a call that fails at once and
            // for ever does not keep the thread to itself.
            Armed::Yield => {
                cold.as_mut().set_armed(Armed::No);
                task.waker().wake_by_ref();
                Poll::Pending
            }
            Armed::No | Armed::Timeout | Armed::Deadline | Armed::Never | Armed::Thread => {
                self.phase = Phase::Due;
                Poll::Ready(())
            }
        }
    }
}
