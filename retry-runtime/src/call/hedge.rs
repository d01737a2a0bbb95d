//! A round of attempts: where the first is slow another one starts beside it, and the first answer wins.

mod round;
mod timer;

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use pin_project_lite::pin_project;

use crate::{
    Moment, Policy, RetryEvent,
    hedge::{Hedge, Race},
    machine::Facts,
};

use super::{Call, Cuts, Fallible, Passes, passes::Pass};

/// What a round ended in, what that told (`None` is an answer), and the hook, which is needed again.
type Ended<O, K> = (O, Option<Facts>, K);

pin_project! {
    /// The future of one round of attempts.
    ///
    /// The first lies in place; those beside it are boxed as they start. All are polled in each poll.
    #[must_use = "futures do nothing unless polled"]
    pub struct HedgedFuture<'call, F, H, C, J, K, G> {
        call: &'call mut Call,
        policy: &'call Policy,
        cuts: C,
        attempt: H,
        judge: J,
        gate: G,
        // `None` once the round is over.
        hook: Option<K>,
        #[pin]
        first: Option<F>,
        beside: Vec<Beside<F>>,
        started: bool,
        // When the first started, if that is remembered.
        began: Moment,
        // When the first is to end by its own timeout.
        ends: Moment,
        race: Race,
        // How long after the one before the next hedge is to be considered.
        delay: Duration,
        // What the timer is set for; `NEVER` if for nothing.
        armed: Moment,
        // Whether the deadline may end what is in flight.
        cuts_at_deadline: bool,
        waited: bool,
    }
}

/// What a round is made of, whoever owns it.
pub(crate) struct Round<'a, F, H, C, J, K, G> {
    pub(crate) call: &'a mut Call,
    pub(crate) policy: &'a Policy,
    pub(crate) cuts: &'a mut C,
    pub(crate) attempt: &'a mut H,
    pub(crate) judge: &'a mut J,
    pub(crate) gate: &'a mut G,
    pub(crate) hook: &'a mut K,
    /// After how long without an answer another attempt is considered, where the call says that.
    pub(crate) after: Option<Duration>,
    pub(crate) first: Pin<&'a mut Option<F>>,
    pub(crate) beside: &'a mut Vec<Beside<F>>,
    pub(crate) timing: Timing<'a>,
}

/// The times of a round.
pub(crate) struct Timing<'a> {
    pub(crate) began: &'a mut Moment,
    pub(crate) ends: &'a mut Moment,
    pub(crate) race: &'a mut Race,
    pub(crate) delay: &'a mut Duration,
    pub(crate) armed: &'a mut Moment,
    pub(crate) cuts_at_deadline: &'a mut bool,
    pub(crate) waited: &'a mut bool,
}

/// An attempt in flight, apart from its future.
struct Flight {
    number: u32,
    /// `None` for the first, which has the gate's own.
    pass: Option<Pass>,
    /// When it started, if that is remembered.
    began: Moment,
}

/// An attempt beside the first.
pub(crate) struct Beside<F> {
    flight: Flight,
    /// When it is to end by its own timeout.
    ends: Moment,
    attempt: Pin<Box<F>>,
}

/// What ends a round: the output of the attempt that decides, and what it told.
type End<F, C> = (<C as Cuts<<F as Future>::Output>>::Output, Option<Facts>);

/// A body that each attempt runs anew, and that only borrows what it uses.
#[inline]
pub const fn attempts<H: Fn() -> F, F: Future>(attempt: H) -> H {
    attempt
}

/// Nobody is told.
#[inline]
pub fn untold<E>(_: &RetryEvent<'_, E>) {}

impl Call {
    /// One round of attempts, each a run of `attempt`, at the site's [`Hedge`]. Each failure is judged
    /// once, and `hook` is told of each hedge.
    #[inline]
    pub fn attempt_hedged<'call, F, H, C, J, K, G>(
        &'call mut self,
        policy: &'call Policy,
        cuts: C,
        attempt: H,
        judge: J,
        hook: K,
        gate: G,
    ) -> HedgedFuture<'call, F, H, C, J, K, G>
    where
        F: Future,
        F::Output: Fallible,
        H: Fn() -> F,
        C: Cuts<F::Output>,
        J: FnMut(&ResultOf<F>) -> Option<Facts>,
        K: FnMut(&RetryEvent<'_, ErrorOf<F>>),
        G: Passes,
    {
        let first = Some(attempt());
        HedgedFuture {
            race: Race::new(self.site.hedges().map_or(0, Hedge::max)),
            call: self,
            policy,
            cuts,
            attempt,
            judge,
            gate,
            hook: Some(hook),
            first,
            beside: Vec::new(),
            started: false,
            began: Moment::NEVER,
            ends: Moment::NEVER,
            delay: Duration::MAX,
            armed: Moment::NEVER,
            cuts_at_deadline: true,
            waited: false,
        }
    }
}

type ErrorOf<F> = <<F as Future>::Output as Fallible>::Error;
type ResultOf<F> = Result<<<F as Future>::Output as Fallible>::Value, ErrorOf<F>>;

impl<F, H, C, J, K, G> Future for HedgedFuture<'_, F, H, C, J, K, G>
where
    F: Future,
    F::Output: Fallible,
    H: Fn() -> F,
    C: Cuts<F::Output>,
    J: FnMut(&ResultOf<F>) -> Option<Facts>,
    K: FnMut(&RetryEvent<'_, ErrorOf<F>>),
    G: Passes,
{
    type Output = Ended<C::Output, K>;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        // Polled again after it was ready, as nothing generated does.
        let Some(hook) = this.hook.as_mut() else { return Poll::Pending };
        let mut round = Round {
            call: this.call,
            policy: this.policy,
            cuts: this.cuts,
            attempt: this.attempt,
            judge: this.judge,
            gate: this.gate,
            hook,
            after: None,
            first: this.first,
            beside: this.beside,
            timing: Timing {
                began: this.began,
                ends: this.ends,
                race: this.race,
                delay: this.delay,
                armed: this.armed,
                cuts_at_deadline: this.cuts_at_deadline,
                waited: this.waited,
            },
        };
        let ended = if round.call.phase.needs_start() {
            match round.poll_start(task) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(unstarted) => unstarted.map(|output| (output, None)),
            }
        } else {
            None
        };
        if ended.is_none() && !*this.started {
            *this.started = true;
            round.begin();
        }
        match ended.or_else(|| round.poll(task)) {
            Some((output, facts)) => match this.hook.take() {
                Some(hook) => Poll::Ready((output, facts, hook)),
                None => Poll::Pending,
            },
            None => Poll::Pending,
        }
    }
}

impl<F, H, C, J, K, G> std::fmt::Debug for HedgedFuture<'_, F, H, C, J, K, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HedgedFuture")
            .field("call", &self.call)
            .field("race", &self.race)
            .finish_non_exhaustive()
    }
}
