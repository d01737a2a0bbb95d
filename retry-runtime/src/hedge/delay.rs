//! When a site hedges.

use std::time::Duration;

/// After how long without an answer another attempt starts.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum HedgeDelay {
    /// After this long.
    After(Duration),
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

    /// Whether a delay is written out, and is of no length.
    pub(crate) const fn is_at_once(&self) -> bool {
        match self.delay {
            HedgeDelay::After(delay) => delay.is_zero(),
        }
    }
}
