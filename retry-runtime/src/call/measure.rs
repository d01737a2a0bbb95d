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

    /// When an attempt starts, if that is kept; `NEVER` if not.
    #[inline]
    pub(crate) fn attempt_begins(&self) -> Moment {
        if self.site.keeps_latency() { clock::now() } else { Moment::NEVER }
    }

    /// The attempt that started then has ended, if that was kept.
    #[inline]
    pub(crate) fn attempt_over(&self, started: Moment) {
        if started != Moment::NEVER {
            self.attempt_ended(started);
        }
    }

    fn timed_out(&self) -> bool {
        let cut = self.cold.as_ref().and_then(|cold| cold.cut());
        matches!(cut, Some(Cut::AttemptTimeout(_)))
    }
}
