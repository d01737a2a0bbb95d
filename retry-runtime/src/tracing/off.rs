//! Nobody can subscribe.

use std::marker::PhantomData;

use crate::{Moment, StopReason, What, event::Origin};

/// Where code runs: in no span.
pub(crate) struct Inside<'a>(PhantomData<&'a ()>);

impl Inside<'_> {
    pub(crate) const NOWHERE: Self = Self(PhantomData);
}

/// A call that has spans; there is none.
#[derive(Debug)]
pub(crate) enum Traced {}

impl Traced {
    pub(crate) const fn begin(_: &Origin) -> Option<Self> {
        None
    }

    pub(crate) const fn call(&self) -> Inside<'_> {
        match *self {}
    }

    pub(crate) const fn attempt(&self, _: u32) -> Inside<'_> {
        match *self {}
    }

    pub(crate) const fn tell(&mut self, _: &Origin, _: &What) {
        match *self {}
    }
}

/// The span that a context carries: none.
#[derive(Clone, Debug)]
pub(crate) struct Carried;

impl Carried {
    pub(crate) const NOTHING: Self = Self;

    pub(crate) const fn capture() -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "elsewhere there is something to enter")]
    pub(crate) const fn enter(&self) -> Inside<'_> {
        Inside::NOWHERE
    }
}

/// When calls of a site gave up: not kept.
#[derive(Debug)]
pub(crate) struct Silence;

impl Silence {
    pub(crate) const fn new() -> Self {
        Self
    }
}

#[inline]
pub(crate) const fn wants_calls() -> bool {
    false
}

#[inline]
pub(crate) const fn wants_warnings() -> bool {
    false
}

#[inline]
pub(crate) const fn hears_warnings() -> bool {
    false
}

pub(crate) const fn tell(_: &What) {}

pub(crate) const fn due(_: &Silence, _: StopReason, _: Moment) -> Option<u64> {
    None
}

pub(crate) const fn gave_up(_: Option<&mut Traced>, _: &Origin, _: &What, _: u64) {}
