//! What a generated loop drives where its function has a gate, in the place of what it drives elsewhere.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use pin_project_lite::pin_project;

use crate::{Policy, RetryEvent, machine::Facts};

use super::{Attempted, Call, Cuts, Gate, attempt::AttemptFuture};

pin_project! {
    /// The future of one attempt, behind a gate. A future around that of other attempts, which are not
    /// to pay for what they do not use.
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct GatedFuture<'call, 'gate, F, C> {
        gate: &'gate mut Gate,
        #[pin]
        attempt: AttemptFuture<'call, F, C>,
    }
}

impl<F, C> Future for GatedFuture<'_, '_, F, C>
where
    F: Future,
    C: Cuts<F::Output>,
{
    type Output = C::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<C::Output> {
        let mut this = self.project();
        if let Some((call, cuts)) = this.attempt.as_mut().starting() {
            if call.poll_due(task).is_pending() {
                return Poll::Pending;
            }
            if let Some(output) = this.gate.admit(call, cuts) {
                return Poll::Ready(output);
            }
        }
        this.attempt.poll(task)
    }
}

impl Call {
    /// The first attempt has to pass a gate, too.
    #[inline]
    pub fn gated(self) -> Self {
        self.with_arguments()
    }

    /// [`attempt`](Self::attempt) behind a gate, which is asked when the wait before it is over.
    #[inline]
    pub fn attempt_gated<'call, 'gate, F, C>(
        &'call mut self,
        gate: &'gate mut Gate,
        cuts: C,
        body: F,
    ) -> GatedFuture<'call, 'gate, F, C>
    where
        F: Future,
        C: Cuts<F::Output>,
    {
        GatedFuture { gate, attempt: self.attempt(cuts, body) }
    }

    /// [`attempt_blocking`](Self::attempt_blocking) behind a gate.
    #[inline]
    pub fn attempt_blocking_gated<R, C: Cuts<R>>(
        &mut self,
        gate: &mut Gate,
        mut cuts: C,
        body: impl FnOnce() -> R,
    ) -> C::Output {
        match gate.admit(self, &mut cuts) {
            Some(output) => output,
            None => self.attempt_blocking(cuts, body),
        }
    }

    /// What the attempt told; after a success gate and call know of it.
    #[inline]
    fn facts_gated<A: Attempted>(
        &mut self,
        attempted: &A,
        judge: impl FnOnce(&Result<A::Value, A::Error>) -> Option<Facts>,
        gate: &mut Gate,
    ) -> Option<Facts> {
        let facts = self.facts(attempted, judge);
        if facts.is_none() {
            self.succeed();
            // After the call has told of its success, which may close the breaker.
            gate.succeeded(self);
        }
        facts
    }

    /// [`decide`](Self::decide) behind a gate.
    #[inline]
    pub fn decide_gated<A: Attempted>(
        &mut self,
        policy: &Policy,
        attempted: &A,
        judge: impl FnOnce(&Result<A::Value, A::Error>) -> Option<Facts>,
        gate: &mut Gate,
    ) -> bool {
        let Some(facts) = self.facts_gated(attempted, judge, gate) else { return true };
        self.fail(policy, facts, attempted.needs_record(), Some(gate), None).is_none()
    }

    /// [`decide_and_tell`](Self::decide_and_tell) behind a gate.
    #[inline]
    pub fn decide_and_tell_gated<A: Attempted>(
        &mut self,
        policy: &Policy,
        attempted: &A,
        judge: impl FnOnce(&Result<A::Value, A::Error>) -> Option<Facts>,
        hook: impl FnOnce(&RetryEvent<'_, A::Error>),
        gate: &mut Gate,
    ) -> bool {
        let Some(facts) = self.facts_gated(attempted, judge, gate) else { return true };
        let keep = attempted.needs_record();
        let Some(delay) = self.fail(policy, facts, keep, Some(gate), None) else { return true };
        self.tell(attempted, facts, delay, hook);
        false
    }
}
