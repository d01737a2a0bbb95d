//! What a call holds from its admission to its end.

use super::circuit::Pass;
use super::stats::Count;
use super::{Breaker, Seen};
use crate::{Moment, isolation};

/// The leave to make one call.
///
/// It is settled with what became of the call; dropped without that, the call was cancelled, which
/// counts neither way and gives a probe's place back.
#[derive(Debug)]
#[must_use = "a permit that is dropped is a call that was cancelled"]
pub struct Permit {
    /// `None` once it is settled.
    breaker: Option<&'static Breaker>,
    pass: Pass,
    /// `NEVER` where it does not matter.
    started: Moment,
}

impl Permit {
    #[inline]
    pub(super) const fn new(breaker: &'static Breaker, pass: Pass, started: Moment) -> Self {
        Self { breaker: Some(breaker), pass, started }
    }

    /// Tells the breaker what became of the call. The clock is not read for what changes nothing: a
    /// success while all is well and no rate is measured, and what the breaker does not see.
    #[inline]
    pub fn settle(mut self, seen: Seen, clock: impl FnOnce() -> Moment) {
        let Some(breaker) = self.breaker.take() else { return };
        match seen {
            Seen::Success if breaker.ignores_success(self.pass.word) => {
                if isolation::counting() {
                    breaker.counters.add(Count::Successes);
                }
            }
            Seen::Ignored => breaker.forget(self.pass, Count::Ignored),
            seen => breaker.note(self.pass, self.started, seen, clock()),
        }
    }

    /// Whether it is a probe's.
    pub const fn is_probe(&self) -> bool {
        self.pass.is_probe()
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(breaker) = self.breaker.take() {
            breaker.forget(self.pass, Count::Cancelled);
        }
    }
}
