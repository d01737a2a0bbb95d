//! Who hears that a breaker has changed its state.

use super::circuit::Change;
use super::word::Kind;
use super::{Breaker, BreakerState};
use crate::Moment;

impl Breaker {
    /// Tells who wants to know. Never with a lock held: who hears it may look at breakers.
    pub(super) fn tell(&self, change: Option<Change>, now: impl FnOnce() -> Moment) {
        if let Some(Change { from, to }) = change {
            breaker_changed(self.name(), from.into(), to.into(), now());
        }
    }
}

impl From<Kind> for BreakerState {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Closed => Self::Closed,
            Kind::Open => Self::Open,
            Kind::HalfOpen => Self::HalfOpen,
            Kind::Isolated => Self::Isolated,
        }
    }
}

/// A breaker has changed its state.
#[cfg_attr(not(test), expect(clippy::missing_const_for_fn, reason = "tests listen"))]
fn breaker_changed(name: &str, from: BreakerState, to: BreakerState, now: Moment) {
    #[cfg(test)]
    record::note(name, from, to, now);
    #[cfg(not(test))]
    let _nobody_listens = (name, from, to, now);
}

#[cfg(test)]
#[path = "changes/record.rs"]
pub(super) mod record;
