//! How long attempts take, for functions that keep it.

use crate::{Cut, Moment, clock};

use super::{Call, Phase};

impl Call {
    /// An attempt is about to start: its first poll follows at once.
    #[inline]
    #[must_use]
    pub fn attempt_starts(&self) -> Moment {
        clock::now()
    }

    /// The attempt that started then has ended. One that was cut by its timeout took at least so long; what
    /// a deadline cut, or kept from starting, tells nothing about the dependency.
    pub fn attempt_ended(&self, started: Moment) {
        if self.phase == Phase::Cut && !self.timed_out() {
            return;
        }
        if let Some(latency) = self.site.latency() {
            let now = clock::now();
            latency.record(started.until(now), now);
        }
    }

    fn timed_out(&self) -> bool {
        let cut = self.cold.as_ref().and_then(|cold| cold.cut());
        matches!(cut, Some(Cut::AttemptTimeout(_)))
    }
}
