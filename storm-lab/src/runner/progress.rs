//! How far it is, and how fast.

use std::time::Duration;

use super::Job;
use crate::sim::Watch;

/// Is told how far it is.
pub trait Progress: Sync {
    /// Before the first simulation begins.
    fn began(&self, _speed: &Speed) {}

    /// Ten times a second or so, and whenever a simulation has ended.
    fn moved(&self, _speed: &Speed) {}

    /// After the last one has ended, or all were stopped.
    fn ended(&self, _speed: &Speed) {}
}

/// Says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}

/// How far it is. The only figures that the wall clock has a part in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Speed {
    /// How many simulations there are.
    pub jobs: usize,
    /// How many of them have ended.
    pub finished: usize,
    /// How much time there is to simulate, of all simulations together.
    pub total: Duration,
    /// How much of it was simulated.
    pub simulated: Duration,
    /// How many events were.
    pub events: u64,
    /// How long it took.
    pub elapsed: Duration,
}

impl Speed {
    pub(super) fn start(jobs: &[Job<'_>]) -> Self {
        let total =
            jobs.iter().fold(Duration::ZERO, |sum, job| sum.saturating_add(job.scenario.duration));
        Self { jobs: jobs.len(), total, ..Self::default() }
    }

    pub(super) fn update(&mut self, elapsed: Duration, watch: &Watch) {
        self.simulated = watch.simulated();
        self.events = watch.events();
        self.elapsed = elapsed;
    }

    /// The share that is done, from 0 to 1: of the simulated time, or of the simulations where that says more.
    #[expect(clippy::cast_precision_loss, reason = "thousands of simulations")]
    pub fn share(&self) -> f64 {
        let jobs = if self.jobs == 0 { 1.0 } else { self.finished as f64 / self.jobs as f64 };
        let time = match self.total.as_secs_f64() {
            0.0 => 0.0,
            total => self.simulated.as_secs_f64() / total,
        };
        // What has begun is followed beyond the end of the scenario: not done before all of it is.
        let most = if self.finished < self.jobs { 0.999 } else { 1.0 };
        jobs.max(time).min(most)
    }

    /// Events in each second of the wall clock, 0 at the very start.
    #[expect(clippy::cast_precision_loss, reason = "billions of events")]
    pub fn events_per_second(&self) -> f64 {
        per(self.events as f64, self.elapsed)
    }

    /// Simulated seconds in each second of the wall clock, 0 at the very start.
    pub fn simulated_per_second(&self) -> f64 {
        per(self.simulated.as_secs_f64(), self.elapsed)
    }

    /// How much longer it takes, if it goes on like this; `None` while nobody can know.
    pub fn remaining(&self) -> Option<Duration> {
        let share = self.share();
        if share <= 0.0 || self.elapsed < Duration::from_millis(500) {
            return None;
        }
        Duration::try_from_secs_f64(self.elapsed.as_secs_f64() * (1.0 - share) / share).ok()
    }
}

fn per(amount: f64, elapsed: Duration) -> f64 {
    let seconds = elapsed.as_secs_f64();
    if seconds > 0.0 { amount / seconds } else { 0.0 }
}
