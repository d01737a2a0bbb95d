//! What can be seen of a breaker.

use std::time::Duration;

use super::word::Kind;
use super::{Breaker, BreakerRecent, BreakerState, BreakerStats};
use crate::{Moment, clock, control, isolation};

impl Breaker {
    /// What it does with calls.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Breaker, BreakerState};
    ///
    /// let breaker = Breaker::new("orders");
    /// assert_eq!(breaker.state(), BreakerState::Closed);
    /// breaker.open();
    /// assert_eq!(breaker.state(), BreakerState::Open);
    /// ```
    pub fn state(&self) -> BreakerState {
        self.state_at(clock::now())
    }

    /// What it does with calls at `now`.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Breaker, BreakerState, engine::Moment};
    /// use std::time::Duration;
    ///
    /// let breaker = Breaker::new("orders").open_for(Duration::from_secs(30));
    /// let now = Moment::from_nanos(0);
    /// breaker.open_at(now);
    /// assert_eq!(breaker.state_at(now), BreakerState::Open);
    /// assert_eq!(breaker.state_at(now.after(Duration::from_secs(30))), BreakerState::HalfOpen);
    /// ```
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
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    /// use std::time::Duration;
    ///
    /// let breaker = Breaker::new("orders");
    /// assert_eq!(breaker.opens_in(), Some(Duration::ZERO));
    /// breaker.isolate();
    /// assert_eq!(breaker.opens_in(), None);
    /// ```
    pub fn opens_in(&self) -> Option<Duration> {
        self.opens_in_at(clock::now())
    }

    /// [`opens_in`](Self::opens_in) at `now`.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Breaker, engine::Moment};
    /// use std::time::Duration;
    ///
    /// let breaker = Breaker::new("orders").open_for(Duration::from_secs(30));
    /// let now = Moment::from_nanos(0);
    /// breaker.open_at(now);
    /// let later = now.after(Duration::from_secs(10));
    /// assert_eq!(breaker.opens_in_at(later), Some(Duration::from_secs(20)));
    /// ```
    pub fn opens_in_at(&self, now: Moment) -> Option<Duration> {
        let refused = self.seen_from_here().refuses(now);
        refused.map_or(Some(Duration::ZERO), |open| open.retry_after())
    }

    /// What it was told and what it did.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    ///
    /// let breaker = Breaker::new("orders");
    /// breaker.open();
    /// assert_eq!(breaker.stats().opened, 1);
    /// ```
    pub fn stats(&self) -> BreakerStats {
        self.seen_from_here().own_stats()
    }

    /// The counts of this very object.
    pub(crate) fn own_stats(&self) -> BreakerStats {
        self.counters.read()
    }

    /// What its rules count at present.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    ///
    /// let recent = Breaker::new("orders").recent();
    /// assert_eq!((recent.calls, recent.in_a_row), (0, 0));
    /// ```
    pub fn recent(&self) -> BreakerRecent {
        self.recent_at(clock::now())
    }

    /// What its rules count at `now`.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Breaker, engine::Moment};
    ///
    /// let recent = Breaker::new("orders").recent_at(Moment::from_nanos(0));
    /// assert_eq!(recent.failures, 0);
    /// ```
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
