//! What can be seen of a breaker.

use std::time::Duration;

use super::word::Kind;
use super::{Breaker, BreakerRecent, BreakerState, BreakerStats};
use crate::{Moment, clock, control, isolation};

impl Breaker {
    /// What it does with calls.
    pub fn state(&self) -> BreakerState {
        self.state_at(clock::now())
    }

    /// What it does with calls at `now`.
    pub fn state_at(&self, now: Moment) -> BreakerState {
        let circuit = &self.seen_from_here().circuit;
        match circuit.word().kind() {
            Kind::Closed => BreakerState::Closed,
            Kind::Isolated => BreakerState::Isolated,
            // The first call after the open time makes it half-open; nobody else can tell.
            Kind::Open if now < circuit.until() => BreakerState::Open,
            Kind::Open | Kind::HalfOpen => BreakerState::HalfOpen,
        }
    }

    /// How long it is until it lets a call through: zero if it does so now, `None` if it waits to be
    /// closed by hand. While all its probes are under way, until the lease of the first runs out.
    pub fn opens_in(&self) -> Option<Duration> {
        self.opens_in_at(clock::now())
    }

    /// [`opens_in`](Self::opens_in) at `now`.
    pub fn opens_in_at(&self, now: Moment) -> Option<Duration> {
        let refused = self.seen_from_here().refuses(now);
        refused.map_or(Some(Duration::ZERO), |open| open.retry_after())
    }

    /// What it was told and what it did.
    pub fn stats(&self) -> BreakerStats {
        self.seen_from_here().own_stats()
    }

    /// The counts of this very object.
    pub(crate) fn own_stats(&self) -> BreakerStats {
        self.counters.read()
    }

    /// What its rules count at present.
    pub fn recent(&self) -> BreakerRecent {
        self.recent_at(clock::now())
    }

    /// What its rules count at `now`.
    pub fn recent_at(&self, now: Moment) -> BreakerRecent {
        let here = self.seen_from_here();
        here.tally.recent(&here.limits, here.circuit.word(), now)
    }

    /// The one that answers in this one's place, as an isolated test sees it.
    fn seen_from_here(&self) -> &Self {
        control::expire_now();
        match self.succession.successor() {
            Some(next) => isolation::view(next.in_effect()),
            None => isolation::view(self),
        }
    }
}
