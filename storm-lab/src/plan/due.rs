//! When the retries of a call are due to be paid, and what those of all calls come to while nothing is answered.

use std::time::Duration;

use super::DRAWS;

/// Over all calls that were drawn, from the beginning of each. A retry is paid for when the attempt before it has
/// failed, and its delay begins then.
#[derive(Clone, Debug, Default)]
pub(super) struct Due {
    /// When retries are paid for, the earliest first.
    times: Vec<Duration>,
    /// Up to here none is missing.
    known: Option<Duration>,
    attempt: Duration,
}

impl Due {
    pub(super) fn of(mut times: Vec<Duration>, known: Option<Duration>, attempt: Duration) -> Self {
        times.sort_unstable();
        Self { times, known, attempt }
    }

    /// Retries that one process pays for within `length` of a total failure, if `rps` calls begin in each second.
    pub(super) fn within(&self, length: Duration, rps: f64) -> Option<f64> {
        self.is_known(length).then(|| self.count(length, Duration::ZERO, rps))
    }

    /// Retries that are due later than that, because attempts which begin within it fail after it.
    pub(super) fn after(&self, length: Duration, rps: f64) -> Option<f64> {
        self.is_known(length).then(|| {
            self.count(length, self.attempt, rps) - self.count(length, Duration::ZERO, rps)
        })
    }

    /// How long a total failure lasts until so many retries are paid for; `None` if it never comes to that, or
    /// nobody knows.
    pub(super) fn used_up(&self, retries: f64, rps: f64) -> Option<Duration> {
        // Each time that is reached makes the count grow faster, and in between it grows evenly.
        let each = rps / drawn();
        let (mut paid, mut slope, mut at) = (0.0, 0.0, 0.0);
        for next in self.times.iter().map(Duration::as_secs_f64) {
            let grown = paid + slope * (next - at);
            if slope > 0.0 && grown >= retries {
                break;
            }
            (paid, at) = (grown, next);
            slope += each;
        }
        let end = at + (retries - paid) / slope;
        Duration::try_from_secs_f64(end).ok().filter(|end| self.is_known(*end))
    }

    fn is_known(&self, length: Duration) -> bool {
        self.known.is_none_or(|known| length <= known)
    }

    fn count(&self, length: Duration, earlier: Duration, rps: f64) -> f64 {
        let open = |time: &Duration| length.saturating_sub(time.saturating_sub(earlier));
        let seconds: f64 = self.times.iter().map(|time| open(time).as_secs_f64()).sum();
        seconds / drawn() * rps
    }
}

#[expect(clippy::cast_precision_loss, reason = "exact")]
const fn drawn() -> f64 {
    DRAWS as f64
}
