//! A whole call as one named future, which borrows nothing from itself.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use pin_project_lite::pin_project;

use crate::{Moment, Policy};

use super::{
    mode::{Holds, Parts, Said},
    operation::Operation,
    rules::{Limits, Ruling},
    settings::{Begun, Settings},
    setup::{Setup, SetupMut},
};

pin_project! {
    /// A call that runs its operation once for each attempt. It begins at the first poll.
    ///
    /// `Send` where the operation, its bodies and the rules are. Dropped, it is a call that was cancelled;
    /// where its body panics, that is what the call ends in, whoever catches the panic.
    #[must_use = "futures do nothing unless polled"]
    pub struct Drive<O, R>
    where
        O: Operation,
    {
        // Dropped in this order, as in an annotated function: what is inside the attempt, the gate, the call.
        #[pin]
        body: Option<O::Body>,
        stage: Stage,
        operation: O,
        rules: R,
        policy: Policy,
    }
}

/// Where a call is.
#[derive(Debug)]
pub(super) enum Stage {
    /// Not polled yet.
    Ready(Settings),
    /// Begun.
    Running(Begun),
    /// Its result was taken, or it panicked.
    Over,
}

impl Stage {
    /// What the call was told, until it begins.
    #[inline]
    pub(super) const fn settings(&mut self) -> Option<&mut Settings> {
        match self {
            Self::Ready(settings) => Some(settings),
            Self::Running(_) | Self::Over => None,
        }
    }

    /// What a call was told that has not begun. What has begun is pinned, and nobody has it by value.
    pub(super) fn into_settings(self) -> Settings {
        match self {
            Self::Ready(settings) => settings,
            Self::Running(_) | Self::Over => Settings::new(),
        }
    }

    /// The call, which begins now if it has not; `None` once it is over.
    #[inline]
    pub(super) fn begun(&mut self, policy: &Policy) -> Option<&mut Begun> {
        if let Self::Ready(settings) = self {
            *self = Self::Running(settings.begin(policy));
        }
        match self {
            Self::Running(begun) => Some(begun),
            Self::Ready(_) | Self::Over => None,
        }
    }
}

impl<O: Operation, R> Drive<O, R> {
    /// A call that has not begun.
    pub(crate) fn new(operation: O, setup: Setup<R>) -> Self {
        let Setup { policy, settings, rules } = setup;
        Self { body: None, stage: Stage::Ready(settings), operation, rules, policy }
    }
}

impl<O: Operation, R> Holds<O, R> for Drive<O, R> {
    #[inline]
    fn hold(Parts { operation, setup }: Parts<O, R>) -> Self {
        Self::new(operation, setup)
    }

    #[inline]
    fn release(self) -> Parts<O, R> {
        let settings = self.stage.into_settings();
        let setup = Setup { policy: self.policy, settings, rules: self.rules };
        Parts { operation: self.operation, setup }
    }

    #[inline]
    fn said(&mut self) -> Said<'_, R> {
        let (policy, rules) = (&mut self.policy, &mut self.rules);
        Said(self.stage.settings().map(|settings| SetupMut { policy, settings, rules }))
    }
}

/// Ends the call where something in its poll panics, so that its end is a panic whoever catches it.
pub(super) struct Unwinding<'a, B> {
    pub(super) body: Pin<&'a mut Option<B>>,
    pub(super) stage: &'a mut Stage,
}

impl<B> Drop for Unwinding<'_, B> {
    #[cold]
    fn drop(&mut self) {
        self.body.set(None);
        *self.stage = Stage::Over;
    }
}

impl<O, R, T, E> Future for Drive<O, R>
where
    O: Operation<Output = Result<T, E>>,
    R: Ruling<T, E>,
{
    type Output = Result<T, R::Error>;

    #[inline]
    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let mut parts = Unwinding { body: this.body, stage: this.stage };
        let polled = poll(&mut parts, this.operation, this.rules, this.policy, task);
        std::mem::forget(parts);
        polled
    }
}

fn poll<O, R, T, E>(
    parts: &mut Unwinding<'_, O::Body>,
    operation: &mut O,
    rules: &mut R,
    policy: &Policy,
    task: &mut Context<'_>,
) -> Poll<Result<T, R::Error>>
where
    O: Operation<Output = Result<T, E>>,
    R: Ruling<T, E>,
{
    let Unwinding { body, stage } = parts;
    // Polled again after it was ready, as nobody does who awaits it.
    let Some(begun) = stage.begun(policy) else { return Poll::Pending };
    let Begun { gate, call, timeout, started, .. } = begun;
    let attempted = loop {
        let mut limits = Limits { rules: &mut *rules, timeout: *timeout };
        let ended = if let Some(running) = body.as_mut().as_pin_mut() {
            match call.poll_attempt(task, &mut limits, running) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(ended) => ended,
            }
        } else {
            match call.poll_next(task, &mut limits, gate.as_mut()) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(ended)) => ended,
                Poll::Ready(None) => {
                    let turn = call.turn(policy);
                    *started = call.attempt_begins();
                    body.set(Some(call.start_body(operation, turn)));
                    continue;
                }
            }
        };
        // What was cut goes before anything is decided, and nothing of it lives through the wait.
        body.set(None);
        call.attempt_over(std::mem::replace(started, Moment::NEVER));
        let attempted = rules.settle(ended);
        let (gate, repeatable) = (gate.as_mut(), operation.is_repeatable());
        if call.conclude(policy, &attempted, gate, rules, repeatable, R::judge) {
            break attempted;
        }
    };
    let result = R::finish(call, attempted);
    call.over();
    **stage = Stage::Over;
    Poll::Ready(result)
}

impl<O: Operation, R> std::fmt::Debug for Drive<O, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Drive").field("stage", &self.stage).finish_non_exhaustive()
    }
}
