//! What is the call's own to say: what a result means, how a cut is expressed, and who is asked and told.

use std::time::Duration;

use crate::{
    Cut, RetryEvent,
    call::{Attempted, Call, Cuts},
    machine::Facts,
    site::Site,
};

use super::{
    cutting::Express,
    hooks::{Adjusting, Told},
    judging::Judging,
};

/// The functions that a call was given.
#[derive(Clone, Copy, Debug)]
pub struct Rules<C, J, K, A> {
    pub(crate) cuts: C,
    pub(super) judge: J,
    pub(super) hook: K,
    pub(super) adjust: A,
}

/// All of it, as a call's driver asks for it.
pub trait Ruling<T, E> {
    /// What an attempt ends in.
    type Ended;
    /// The same, once the attempt and what it borrowed are gone.
    type Attempted: Attempted<Value = T, Error = E>;
    /// The error of the call.
    type Error;
    /// Whether delays may be changed.
    const ADJUSTS: bool;

    /// The body ran to its end.
    fn ran(result: Result<T, E>) -> Self::Ended;
    /// The attempt was cut, if that can be expressed.
    fn cut(&mut self, cut: Cut) -> Option<Self::Ended>;
    /// Expresses a cut.
    fn settle(&mut self, ended: Self::Ended) -> Self::Attempted;
    /// The call's result.
    ///
    /// # Errors
    ///
    /// Where the last attempt failed or was cut.
    fn finish(call: &mut Call, attempted: Self::Attempted) -> Result<T, Self::Error>;
    /// What a result means; `None` is an answer.
    fn judge(&mut self, result: &Result<T, E>) -> Option<Facts>;
    /// Another attempt follows.
    fn tell(&mut self, event: &RetryEvent<'_, E>);
    /// The delay before another attempt; `None` for no other one.
    fn adjust(&mut self, error: &E, delay: Duration) -> Option<Duration>;
}

impl<T, E, C, J, K, A> Ruling<T, E> for Rules<C, J, K, A>
where
    C: Express<T, E>,
    J: Judging<T, E>,
    K: Told<E>,
    A: Adjusting<E>,
{
    type Ended = C::Ended;
    type Attempted = C::Attempted;
    type Error = C::Error;
    const ADJUSTS: bool = A::ADJUSTS;

    #[inline]
    fn ran(result: Result<T, E>) -> C::Ended {
        C::ran(result)
    }

    fn cut(&mut self, cut: Cut) -> Option<C::Ended> {
        self.cuts.cut(cut, J::inherited)
    }

    #[inline]
    fn settle(&mut self, ended: C::Ended) -> C::Attempted {
        self.cuts.settle(ended)
    }

    #[inline]
    fn finish(call: &mut Call, attempted: C::Attempted) -> Result<T, C::Error> {
        C::finish(call, attempted)
    }

    #[inline]
    fn judge(&mut self, result: &Result<T, E>) -> Option<Facts> {
        self.judge.judge(result)
    }

    fn tell(&mut self, event: &RetryEvent<'_, E>) {
        self.hook.tell(event);
    }

    fn adjust(&mut self, error: &E, delay: Duration) -> Option<Duration> {
        self.adjust.adjust(error, delay)
    }
}

/// What a call with these rules comes to.
pub type Answer<T, E, R> = Result<T, <R as Ruling<T, E>>::Error>;

/// The limits of one attempt.
pub(super) struct Limits<'a, R> {
    pub(super) rules: &'a mut R,
    pub(super) timeout: Option<Duration>,
}

impl<T, E, R: Ruling<T, E>> Cuts<Result<T, E>> for Limits<'_, R> {
    type Output = R::Ended;

    #[inline]
    fn ran(result: Result<T, E>) -> R::Ended {
        R::ran(result)
    }

    fn cut(&mut self, cut: Cut) -> Option<R::Ended> {
        self.rules.cut(cut)
    }

    #[inline]
    fn timeout(&self, _: &Site) -> Option<Duration> {
        self.timeout
    }
}
