//! Breakers moved by hand.

use super::Breaker;
use super::circuit::Change;
use super::stats::Count;
use crate::{Moment, clock, isolation};

impl Breaker {
    /// Opens it for its open time, as if a rule had been met. Open already, it stays open for the whole
    /// time from now on; isolated, it stays isolated.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Breaker, BreakerState};
    ///
    /// let breaker = Breaker::new("orders");
    /// breaker.open();
    /// assert_eq!(breaker.state(), BreakerState::Open);
    /// ```
    pub fn open(&self) {
        self.open_at(clock::now());
    }

    /// [`open`](Self::open) at `now`.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Breaker, BreakerState, engine::Moment};
    ///
    /// let (breaker, now) = (Breaker::new("orders"), Moment::from_nanos(0));
    /// breaker.open_at(now);
    /// assert_eq!(breaker.state_at(now), BreakerState::Open);
    /// ```
    pub fn open_at(&self, now: Moment) {
        self.for_each_here(|breaker| breaker.tell_by_name(breaker.open_here(now), || now));
    }

    /// Opens this very object.
    pub(super) fn open_here(&self, now: Moment) -> Option<Change> {
        let until = |reopened| self.settings_here().open_until(now, reopened, isolation::generator);
        let (opened, change) = self.circuit.open(until);
        if opened {
            self.counters.add(Count::Opened);
        }
        change
    }

    /// Closes it, whatever it was, isolated included, and forgets all that it has counted towards
    /// opening. What becomes of calls that are under way is no longer seen.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Breaker, BreakerState};
    ///
    /// let breaker = Breaker::new("orders");
    /// breaker.open();
    /// breaker.close();
    /// assert_eq!(breaker.state(), BreakerState::Closed);
    /// ```
    pub fn close(&self) {
        self.for_each_here(|breaker| breaker.tell_by_name(breaker.close_here(), clock::now));
    }

    /// Closes this very object.
    pub(super) fn close_here(&self) -> Option<Change> {
        self.succession.set_off(false);
        self.circuit.close()
    }

    /// Refuses all calls until [`close`](Self::close): for tests, and for incidents in which a dependency
    /// is to be left alone.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Breaker, BreakerState};
    ///
    /// let breaker = Breaker::new("orders");
    /// breaker.isolate();
    /// assert_eq!((breaker.state(), breaker.opens_in()), (BreakerState::Isolated, None));
    /// ```
    pub fn isolate(&self) {
        self.for_each_here(|breaker| breaker.tell_by_name(breaker.isolate_here(), clock::now));
    }

    /// Isolates this very object, whatever isolated test asks. It takes no lock that is held while the
    /// registry's is asked for, so the registry may call it: for one that takes over from another that is
    /// isolated, and then nothing has changed for those who use the name.
    pub(super) fn isolate_here(&self) -> Option<Change> {
        self.succession.set_off(true);
        self.circuit.isolate()
    }

    /// With this one and those that answer in its place by now. If one takes over meanwhile, it has heard
    /// of the isolation, or is found here.
    fn for_each_here(&self, change: impl Fn(&Self)) {
        let mut next = Some(self);
        while let Some(breaker) = next {
            change(isolation::view(breaker));
            next = breaker.succession.successor();
        }
    }
}
