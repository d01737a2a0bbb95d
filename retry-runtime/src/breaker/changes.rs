//! Who hears that a breaker has changed its state.

use std::borrow::Cow;

use super::circuit::Change;
use super::word::Kind;
use super::{Breaker, BreakerState};
use crate::names::registry;
use crate::{Moment, event};

impl Breaker {
    /// Tells who wants to know. Never with a lock held: who hears it may look at breakers.
    pub(super) fn tell(&'static self, change: Option<Change>, now: Moment) {
        if let Some(change) = change {
            report(self.name(), change, now);
        }
    }

    /// The same of one that may not live as long as the process, as which only those are known that answer
    /// to a name. Of no other can anybody have heard.
    pub(super) fn tell_by_name(&self, change: Option<Change>, now: impl FnOnce() -> Moment) {
        let Some(change) = change else { return };
        let name = match &self.name {
            Cow::Borrowed(name) => Some(*name),
            Cow::Owned(name) => registry::bearers::<Self>(name).first().map(|bearer| bearer.name()),
        };
        if let Some(name) = name {
            report(name, change, now());
        }
    }
}

/// A change that an override has made, and that is told when the locks are released under which it was.
#[derive(Debug)]
#[must_use = "somebody may want to know"]
pub(crate) struct Untold {
    pub(super) breaker: &'static Breaker,
    pub(super) change: Change,
    pub(super) now: Moment,
}

impl Untold {
    pub(crate) fn tell(self) {
        self.breaker.tell(Some(self.change), self.now);
    }
}

fn report(name: &'static str, change: Change, now: Moment) {
    let (from, to) = (change.from.into(), change.to.into());
    #[cfg(test)]
    record::note(name, from, to, now);
    event::breaker_changed(name, from, to, now);
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

#[cfg(test)]
#[path = "changes/record.rs"]
pub(super) mod record;
