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

use super::{Call, Cuts, Fallible, Passes, Phase, passes::Pass};

/// What a round ended in, what that told (`None` is an answer), and the hook, which is needed again.
type Ended<O, K> = (O, Option<Facts>, K);

pin_project! {
    /// The future of one round of attempts.
    ///
    /// The first lies in place; those beside it are boxed as they start. All are polled in each poll.
    #[project = Round]
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

/// An attempt in flight, apart from its future.
struct Flight {
    number: u32,
    /// `None` for the first, which has the gate's own.
    pass: Option<Pass>,
    /// When it started, if that is remembered.
    began: Moment,
}

/// An attempt beside the first.
struct Beside<F> {
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
        let mut round = self.project();
        if round.call.phase.needs_start() {
            if round.call.poll_due(task).is_pending() {
                return Poll::Pending;
            }
            if let Some(output) = round.gate.admit(round.call, round.cuts) {
                return round.over(output, None);
            }
            if let Some(cut) = round.call.start() {
                if let Some(output) = round.cuts.cut(cut) {
                    round.call.cut_before_start(cut);
                    return round.over(output, None);
                }
            }
        }
        if !*round.started {
            *round.started = true;
            *round.began = round.call.starts();
        }
        round.call.phase = Phase::Polling;
        // What is ready is taken before the timer is asked: an answer at the very tick of a hedge wins.
        let mut ended = round.poll_first(task);
        if ended.is_none() {
            ended = round.poll_beside(0, task);
        }
        if ended.is_none() {
            ended = round.poll_timer(task);
        }
        let Some((output, facts)) = ended else {
            round.call.phase = Phase::Running;
            return Poll::Pending;
        };
        round.over(output, facts)
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
