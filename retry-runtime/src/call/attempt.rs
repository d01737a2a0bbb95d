//! One run of the body, polled inside the call's context.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use pin_project_lite::pin_project;

use crate::{
    AttemptTimeout, Cut, DeadlineExceeded, Moment, Policy,
    context::{self, REPEATING, SUPPRESS},
    few::Few,
    side::Debt,
    site::Count,
};

use super::{Call, Cuts, Phase, cold::Armed, dropped};

pin_project! {
    /// The future of one attempt.
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct AttemptFuture<'call, F, C> {
        call: &'call mut Call,
        cuts: C,
        #[pin]
        body: F,
    }
}

impl Call {
    /// One attempt: waits until it is due, runs `body` inside the call's context, and ends it at a timeout or
    /// at the deadline where `cuts` can express that.
    #[inline]
    pub fn attempt<F, C>(&mut self, cuts: C, body: F) -> AttemptFuture<'_, F, C>
    where
        F: Future,
        C: Cuts<F::Output>,
    {
        AttemptFuture { call: self, cuts, body }
    }
}

impl<F, C> AttemptFuture<'_, F, C> {
    /// The call and its cuts, where the attempt is about to start.
    #[inline]
    pub(super) fn starting(self: Pin<&mut Self>) -> Option<(&mut Call, &mut C)> {
        let this = self.project();
        let call = &mut **this.call;
        call.phase.needs_start().then_some((call, this.cuts))
    }
}

impl<F, C> Future for AttemptFuture<'_, F, C>
where
    F: Future,
    C: Cuts<F::Output>,
{
    type Output = C::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<C::Output> {
        let this = self.project();
        this.call.poll_attempt(task, this.cuts, this.body)
    }
}

impl Call {
    /// Polls an attempt: waits until it is due, runs `body` inside the call's context, and ends it at a
    /// timeout or at the deadline where `cuts` can express that. A body that was ended is to be dropped
    /// before the call decides.
    #[inline]
    pub fn poll_attempt<F, C>(
        &mut self,
        task: &mut Context<'_>,
        cuts: &mut C,
        body: Pin<&mut F>,
    ) -> Poll<C::Output>
    where
        F: Future,
        C: Cuts<F::Output>,
    {
        // So it is at the first poll of most first attempts, and then this is all that is asked.
        if self.phase != Phase::Polling {
            if self.phase.needs_start() {
                match self.poll_start(task) {
                    Poll::Pending => return Poll::Pending,
                    Poll::Ready(None) => {}
                    Poll::Ready(Some(cut)) => {
                        if let Some(output) = cuts.cut(cut) {
                            self.cut_before_start(cut);
                            return Poll::Ready(output);
                        }
                    }
                }
            }
            self.phase = Phase::Polling;
        }
        let polled = {
            let _entered = context::enter(&self.ambient);
            body.poll(task)
        };
        let polled = match polled {
            Poll::Ready(result) => {
                // Nothing new, but with it the compiler knows that the attempt was not cut.
                self.phase = Phase::Polling;
                return Poll::Ready(C::ran(result));
            }
            Poll::Pending if self.has_limit() => self.poll_cut(task, cuts),
            Poll::Pending => Poll::Pending,
        };
        if polled.is_pending() {
            self.phase = Phase::Running;
        }
        polled
    }
}

impl Call {
    /// Waits until the attempt is due, and starts it.
    #[cold]
    fn poll_start(&mut self, task: &mut Context<'_>) -> Poll<Option<Cut>> {
        if self.poll_due(task).is_pending() {
            return Poll::Pending;
        }
        Poll::Ready(self.start())
    }

    /// Waits until the attempt is due.
    pub(super) fn poll_due(&mut self, task: &mut Context<'_>) -> Poll<()> {
        if self.phase == Phase::Sleeping { self.poll_pause(task) } else { Poll::Ready(()) }
    }

    /// Another attempt than a first one starts; or the first one, which should not: then a cut.
    #[cold]
    #[inline(never)]
    pub(super) fn start(&mut self) -> Option<Cut> {
        match self.phase {
            Phase::Precluded => Some(Cut::DeadlineExceeded(DeadlineExceeded::new())),
            Phase::Sleeping | Phase::Due => {
                self.start_retry();
                self.tell_start(false);
                None
            }
            Phase::Fresh => {
                self.tell_start(false);
                None
            }
            Phase::Running | Phase::Polling | Phase::Cut | Phase::Done => None,
        }
    }

    /// The next attempt starts: its retry is spent, and everything about the last one is forgotten.
    fn start_retry(&mut self) {
        self.ambient = self.ambient.at_attempt(context::after(self.started()));
        if self.ambient.has(SUPPRESS) {
            self.ambient = self.ambient.with_flags(self.ambient.flags() | REPEATING);
        }
        self.site.state().add(Count::Retries);
        let mut cold = self.heat();
        if let Some(rare) = cold.as_mut().known_rare() {
            rare.paid_inner.clear();
            rare.cut = None;
            rare.beside = 0;
            rare.not_before = Moment::from_nanos(0);
        }
        cold.as_mut().count_pause();
        let cold = cold.project();
        *cold.armed = Armed::No;
        *cold.ends = Moment::NEVER;
    }

    /// Notes that the call ended before its first attempt.
    pub(super) fn cut_before_start(&mut self, cut: Cut) {
        let mut cold = self.heat();
        *cold.as_mut().project().unstarted = true;
        cold.set_cut(cut);
        self.phase = Phase::Cut;
    }

    /// Whether a running attempt may have to be ended.
    #[inline]
    fn has_limit(&self) -> bool {
        self.ambient.deadline != Moment::NEVER || self.site.timeout().is_some()
    }

    /// The body is not ready: ends it if its time is over.
    #[cold]
    fn poll_cut<R, C: Cuts<R>>(&mut self, task: &mut Context<'_>, cuts: &mut C) -> Poll<C::Output> {
        loop {
            let cut = match self.heat().armed {
                Armed::Never => return Poll::Pending,
                Armed::Timeout => Cut::AttemptTimeout(AttemptTimeout::new()),
                Armed::Deadline => Cut::DeadlineExceeded(DeadlineExceeded::new()),
                Armed::No | Armed::Pause | Armed::Thread | Armed::Yield => {
                    let timeout = self.timeout_in_force(cuts.timeout(self.site));
                    self.arm_cut(true, timeout);
                    continue;
                }
            };
            if self.heat().poll_timer(task).is_pending() {
                return Poll::Pending;
            }
            if let Some(output) = cuts.cut(cut) {
                self.heat().set_cut(cut);
                self.phase = Phase::Cut;
                self.begin_dropping();
                return Poll::Ready(output);
            }
            self.note_uncut(cut);
            // The error type cannot express it: the attempt goes on, until its own timeout at most.
            let timeout = self.timeout_in_force(cuts.timeout(self.site));
            self.arm_cut(false, timeout);
        }
    }

    /// An attempt goes on past a limit; it may do so twice, and is counted once.
    fn note_uncut(&mut self, cut: Cut) {
        let first = self.ambient.deadline.min(self.heat().ends);
        if matches!(cut, Cut::DeadlineExceeded(_)) || first != self.ambient.deadline {
            self.site.state().add(Count::Uncut);
        }
    }

    /// From here to the decision nothing runs but the destructors of the attempt, and what they drop
    /// goes because the attempt was cut.
    pub(super) fn begin_dropping(&mut self) {
        self.heat().rare().dropping = Some(dropped::begin());
    }

    /// The end of that: what is owed for what was dropped.
    pub(super) fn end_dropping(&mut self) -> Few<Debt> {
        let call = self.ambient.call_half();
        let rare = self.cold.as_mut().and_then(|cold| cold.as_mut().known_rare());
        let around = rare.and_then(|rare| rare.dropping.take());
        around.map_or_else(Few::new, |around| dropped::end(call, around))
    }

    /// Whether the running attempt may use all that is left of the deadline.
    pub(super) fn is_untimed(&self) -> bool {
        self.cold.as_ref().is_some_and(|cold| cold.untimed)
    }

    /// For a function whose last attempt may use all that is left of the deadline: the first may be the
    /// last.
    #[inline]
    pub fn last_untimed(mut self, policy: &Policy) -> Self {
        if self.limit(policy) == 1 {
            *self.heat().project().untimed = true;
        }
        self
    }

    /// Sets the timer for whichever limit comes first.
    fn arm_cut(&mut self, by_deadline: bool, timeout: Option<Duration>) {
        let deadline = if by_deadline { self.ambient.deadline } else { Moment::NEVER };
        let timeout = timeout.filter(|_| !self.is_untimed());
        let cold = self.heat();
        let timeout = match timeout {
            // The timer for the timeout has fired and could not be expressed either.
            _ if cold.armed == Armed::Timeout => Moment::NEVER,
            None => Moment::NEVER,
            Some(timeout) => cold.attempt_ends(timeout),
        };
        let (limit, moment) = if deadline <= timeout {
            (Armed::Deadline, deadline)
        } else {
            (Armed::Timeout, timeout)
        };
        if !moment.may_come() {
            self.heat().set_armed(Armed::Never);
        } else {
            self.heat().arm(limit, moment);
        }
    }
}
