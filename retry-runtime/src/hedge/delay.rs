//! When a site hedges.

use std::time::Duration;

use crate::latency::{Latency, Quantile};

/// After how long without an answer another attempt starts.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum HedgeDelay {
    /// After this long.
    After(Duration),
    /// When it takes longer than this part of the site's attempts; not while that is unknown.
    Quantile(Quantile, &'static Latency),
}

/// What a site says about hedges.
#[derive(Clone, Copy, Debug)]
pub struct Hedge {
    delay: HedgeDelay,
    max: u32,
}

impl Hedge {
    /// At most `max` attempts beside the first of a round, each this long after the one before.
    #[must_use]
    pub const fn new(delay: HedgeDelay, max: u32) -> Self {
        Self { delay, max }
    }

    /// How many attempts may start beside the first of a round.
    #[inline]
    pub(crate) const fn max(&self) -> u32 {
        self.max
    }

    pub(crate) const fn delay(&self) -> HedgeDelay {
        self.delay
    }

    /// What remembers how long attempts take, if the delay depends on it.
    pub(crate) const fn latency(&self) -> Option<&'static Latency> {
        match self.delay {
            HedgeDelay::Quantile(_, latency) => Some(latency),
            HedgeDelay::After(_) => None,
        }
    }

    /// Whether a delay is written out, and is of no length.
    pub(crate) const fn is_at_once(&self) -> bool {
        match self.delay {
            HedgeDelay::After(delay) => delay.is_zero(),
            HedgeDelay::Quantile(..) => false,
        }
    }
}
