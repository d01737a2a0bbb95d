//! What a call needs from its first failure on.

use std::{pin::Pin, task::Poll, time::Duration};

use pin_project_lite::pin_project;
use tokio::time::Sleep;

use crate::{
    Cut, FailedAttempt, Generator, Moment, Retryable, StopReason, clock,
    machine::{Facts, Machine},
};

use super::{Call, MANY, dropped, purse::Paid};

pin_project! {
    /// In one box, made at the first failure: the timer, the generator and the record of the call.
    #[derive(Debug)]
    pub(super) struct Cold {
        #[pin]
        timer: Option<Sleep>,
        pub(super) armed: Armed,
        pub(super) attempt_ends: Option<Moment>,
        pub(super) allowed: u32,
        pub(super) machine: Machine,
        pub(super) generator: Option<Generator>,
        pub(super) paid: Paid,
        pub(super) cut: Option<Cut>,
        // What was noted of an attempt around this one, while this one is dropped.
        pub(super) dropping: Option<Option<dropped::Debts>>,
        pub(super) reason: Option<StopReason>,
        pub(super) pause: Duration,
        pub(super) slept: Duration,
        pub(super) failures: Vec<FailedAttempt>,
        pub(super) unstarted: bool,
    }
}

/// What the timer is set for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Armed {
    /// Nothing.
    No,
    /// The end of the running attempt.
    Cut(Cut),
    /// The running attempt cannot be ended.
    Never,
    /// The end of the wait before the next attempt.
    Pause,
    /// The same for a call that waits on its thread, where there is no timer.
    Until(Moment),
    /// A wait of no length, which lets other tasks run once.
    Yield,
}

impl Cold {
    fn new() -> Self {
        Self {
            timer: None,
            armed: Armed::No,
            attempt_ends: None,
            allowed: u32::MAX,
            machine: Machine::new(),
            generator: None,
            paid: Paid::default(),
            cut: None,
            dropping: None,
            reason: None,
            pause: Duration::ZERO,
            slept: Duration::ZERO,
            failures: Vec::new(),
            unstarted: false,
        }
    }

    /// When the running attempt is to end, counted from its first `Pending`: before that no clock is
    /// read.
    pub(super) fn attempt_ends(self: Pin<&mut Self>, timeout: Duration) -> Moment {
        *self.project().attempt_ends.get_or_insert_with(|| clock::now().after(timeout))
    }

    /// Remembers how many attempts there was time for at the start, if that is too many for the call to
    /// remember.
    #[cold]
    pub(super) fn allowing(attempts: u32) -> Option<Pin<Box<Self>>> {
        (attempts >= MANY.into()).then(|| Box::pin(Self { allowed: attempts, ..Self::new() }))
    }

    /// Sets the timer.
    pub(super) fn arm(self: Pin<&mut Self>, armed: Armed, moment: Moment) {
        let mut this = self.project();
        *this.armed = armed;
        if this.timer.is_none() {
            this.timer.set(Some(clock::sleep_until(moment)));
        }
        // A new one too: this is what registers it with the runtime, before it is first polled.
        if let Some(timer) = this.timer.as_pin_mut() {
            clock::reset(timer, moment);
        }
    }

    /// Remembers what there is to wait for without a timer.
    pub(super) fn set_armed(self: Pin<&mut Self>, armed: Armed) {
        *self.project().armed = armed;
    }

    pub(super) fn poll_timer(self: Pin<&mut Self>, task: &mut std::task::Context<'_>) -> Poll<()> {
        let Some(mut timer) = self.project().timer.as_pin_mut() else { return Poll::Ready(()) };
        // A body that is never out of work uses up what the runtime grants a task between two turns,
        // and then no timer answers any more; whether it has fired can still be seen.
        match timer.as_mut().poll(task) {
            Poll::Pending if timer.is_elapsed() => Poll::Ready(()),
            polled => polled,
        }
    }

    /// Notes that the running attempt, or the call before its first, was cut.
    pub(super) fn set_cut(self: Pin<&mut Self>, cut: Cut) {
        let this = self.project();
        *this.cut = Some(cut);
        *this.armed = Armed::No;
    }
}

/// How a cut looks to the decision.
pub(super) fn facts_of(cut: Cut) -> Facts {
    Facts { classification: cut.classify(), label: cut.label() }
}

impl Call {
    /// The box, made on first use.
    #[cold]
    pub(super) fn heat(&mut self) -> Pin<&mut Cold> {
        self.cold.get_or_insert_with(|| Box::pin(Cold::new())).as_mut()
    }
}
