//! A whole call whose slow attempts have others beside them, as one named future.

use std::{
    future::Future,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use pin_project_lite::pin_project;

use crate::{
    Cut, Moment, Policy, RetryEvent,
    call::{Beside, Cuts, Gate, Round, Timing},
    hedge::Race,
    machine::Facts,
    site::Site,
};

use super::{
    cutting::Express,
    drive::Stage,
    hooks::{Adjusting, Told},
    judging::Judging,
    mode::{Holds, Parts, Said},
    operation::Operation,
    rules::{Rules, Ruling},
    setup::{Setup, SetupMut},
};

pin_project! {
    /// [`Drive`](super::Drive) for a call that [hedges](super::Run::hedge).
    ///
    /// The first attempt of a round lies in place; those beside it are boxed as they start.
    #[must_use = "futures do nothing unless polled"]
    pub struct HedgedDrive<O, R>
    where
        O: Operation,
    {
        // Dropped in this order, as in an annotated function.
        #[pin]
        first: Option<O::Body>,
        beside: Vec<Beside<O::Body>>,
        stage: Stage,
        operation: O,
        rules: R,
        policy: Policy,
        times: Times,
    }
}

/// The times of a round that is under way.
#[derive(Debug)]
struct Times {
    /// The round has begun.
    started: bool,
    began: Moment,
    ends: Moment,
    race: Race,
    delay: Duration,
    armed: Moment,
    cuts_at_deadline: bool,
    waited: bool,
}

impl Times {
    const fn new(max: u32) -> Self {
        Self {
            started: false,
            began: Moment::NEVER,
            ends: Moment::NEVER,
            race: Race::new(max),
            delay: Duration::MAX,
            armed: Moment::NEVER,
            cuts_at_deadline: true,
            waited: false,
        }
    }
}

impl<O: Operation, R> Holds<O, R> for HedgedDrive<O, R> {
    #[inline]
    fn hold(Parts { operation, setup }: Parts<O, R>) -> Self {
        let Setup { policy, settings, rules } = setup;
        Self {
            first: None,
            beside: Vec::new(),
            // Of a round that has not begun.
            times: Times::new(0),
            stage: Stage::Ready(settings),
            operation,
            rules,
            policy,
        }
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

/// What one round may use of the rules, while others of them judge and tell.
struct Limits<'a, C, J> {
    cuts: &'a mut C,
    judge: PhantomData<fn() -> J>,
    timeout: Option<Duration>,
}

impl<T, E, C: Express<T, E>, J: Judging<T, E>> Cuts<Result<T, E>> for Limits<'_, C, J> {
    type Output = C::Ended;

    #[inline]
    fn ran(result: Result<T, E>) -> C::Ended {
        C::ran(result)
    }

    fn cut(&mut self, cut: Cut) -> Option<C::Ended> {
        self.cuts.cut(cut, J::inherited)
    }

    #[inline]
    fn timeout(&self, _: &Site) -> Option<Duration> {
        self.timeout
    }
}

/// Ends the call where something in its poll panics.
struct Unwinding<'a, B> {
    first: Pin<&'a mut Option<B>>,
    beside: &'a mut Vec<Beside<B>>,
    stage: &'a mut Stage,
}

impl<B> Drop for Unwinding<'_, B> {
    #[cold]
    fn drop(&mut self) {
        self.first.set(None);
        self.beside.clear();
        *self.stage = Stage::Over;
    }
}

impl<O, T, E, C, J, K, A> Future for HedgedDrive<O, Rules<C, J, K, A>>
where
    O: Operation<Output = Result<T, E>>,
    C: Express<T, E>,
    J: Judging<T, E>,
    K: Told<E>,
    A: Adjusting<E>,
{
    type Output = Result<T, C::Error>;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let mut parts = Unwinding { first: this.first, beside: this.beside, stage: this.stage };
        let (rules, policy, times) = (this.rules, &*this.policy, this.times);
        let polled = poll(&mut parts, this.operation, rules, policy, times, task);
        std::mem::forget(parts);
        polled
    }
}

fn poll<O, T, E, C, J, K, A>(
    parts: &mut Unwinding<'_, O::Body>,
    operation: &mut O,
    rules: &mut Rules<C, J, K, A>,
    policy: &Policy,
    times: &mut Times,
    task: &mut Context<'_>,
) -> Poll<Result<T, C::Error>>
where
    O: Operation<Output = Result<T, E>>,
    C: Express<T, E>,
    J: Judging<T, E>,
    K: Told<E>,
    A: Adjusting<E>,
{
    let Unwinding { first, beside, stage } = parts;
    // Polled again after it was ready, as nobody does who awaits it.
    let Some(begun) = stage.begun(policy) else { return Poll::Pending };
    let (call, timeout, hedge) = (&mut begun.call, begun.timeout, begun.hedge);
    let gate = begun.gate.get_or_insert_with(Gate::open);
    let attempted = loop {
        let mut limits = Limits { cuts: &mut rules.cuts, judge: PhantomData::<fn() -> J>, timeout };
        if !times.started {
            match call.poll_next(task, &mut limits, Some(&mut *gate)) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(ended)) => {
                    let attempted = rules.cuts.settle(ended);
                    let repeatable = operation.is_repeatable();
                    let gate = Some(&mut *gate);
                    if call.conclude(policy, &attempted, gate, rules, repeatable, Ruling::judge) {
                        break attempted;
                    }
                    continue;
                }
                Poll::Ready(None) => {
                    let turn = call.turn(policy);
                    first.set(Some(call.start_body(operation, turn)));
                    *times = Times { started: true, ..Times::new(hedge.max) };
                    times.began = call.round_begins();
                }
            }
        }
        let mut round = Round {
            call: &mut *call,
            policy,
            cuts: &mut limits,
            attempt: &mut *operation,
            judge: &mut |result: &Result<T, E>| rules.judge.judge(result),
            gate: &mut &mut *gate,
            hook: &mut |event: &RetryEvent<'_, E>| rules.hook.tell(event),
            after: hedge.after,
            first: first.as_mut(),
            beside: &mut **beside,
            timing: Timing {
                began: &mut times.began,
                ends: &mut times.ends,
                race: &mut times.race,
                delay: &mut times.delay,
                armed: &mut times.armed,
                cuts_at_deadline: &mut times.cuts_at_deadline,
                waited: &mut times.waited,
            },
        };
        let Some((ended, facts)) = round.poll(task) else { return Poll::Pending };
        times.started = false;
        let attempted = rules.cuts.settle(ended);
        let repeatable = operation.is_repeatable();
        let judged = |_: &mut Rules<C, J, K, A>, _: &Result<T, E>| -> Option<Facts> { facts };
        if call.conclude(policy, &attempted, Some(&mut *gate), rules, repeatable, judged) {
            break attempted;
        }
    };
    let result = C::finish(call, attempted);
    call.over();
    **stage = Stage::Over;
    Poll::Ready(result)
}

impl<O: Operation, R> std::fmt::Debug for HedgedDrive<O, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HedgedDrive").field("stage", &self.stage).finish_non_exhaustive()
    }
}
