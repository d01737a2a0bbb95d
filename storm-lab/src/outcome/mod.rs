//! What one simulation of one policy came to.

mod recovery;
mod series;

pub use recovery::recovery;
pub use series::{Series, peak};

use std::{collections::BTreeMap, time::Duration};

use hdrhistogram::Histogram;

use crate::scenario::Window;

/// What one policy did with one seed. The same for the same scenario, policy and seed, wherever it runs.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The scenario's name.
    pub scenario: String,
    /// The policy's name.
    pub policy: String,
    /// What the random numbers were made from.
    pub seed: u64,
    /// What was counted lies in here. Calls count where they begin.
    pub window: Window,
    /// The trigger, if there is one.
    pub trigger: Option<Window>,
    /// Logical calls that began in the window.
    pub calls: u64,
    /// Those that succeeded.
    pub succeeded: u64,
    /// One for each tier, in the scenario's order.
    pub tiers: Vec<TierOutcome>,
    /// The place of the tier that [`amplification`](Self::amplification) and the series of load are about.
    pub watch: usize,
    /// How long the window's calls took to succeed, in microseconds.
    pub latency: Histogram<u64>,
    /// How long all of them took, however they ended, in microseconds.
    pub latency_all: Histogram<u64>,
    /// Why calls were not retried any more, at all tiers, by the labels of production's `StopReason`.
    pub stops: BTreeMap<&'static str, u64>,
    /// How long after the trigger's end the service was well again; see [`recovery()`].
    pub recovery: Recovery,
    /// The most retries that began in any millisecond of the window, where that was counted.
    pub peak_1ms: Option<u32>,
    /// When the first retry began, from the start; `None` if there was none.
    pub first_retry: Option<Duration>,
    /// By how much a retry began before the answer to the attempt before it had asked for it, at most; `None` where
    /// nothing was asked.
    pub too_early: Option<Duration>,
    /// What happened when, from the start to the end.
    pub series: Series,
    /// What the reader of the figures must know, such as that a budget was never in force.
    pub notes: Vec<String>,
    /// How many events were simulated.
    pub events: u64,
    /// How many calls were in progress at most.
    pub most_concurrent: u64,
}

/// What happened at one tier, in the window.
#[derive(Clone, Debug, Default)]
pub struct TierOutcome {
    /// Its name.
    pub name: String,
    /// Logical calls of it.
    pub calls: u64,
    /// Attempts, the first ones included.
    pub attempts: u64,
    /// Requests that reached the server.
    pub arrived: u64,
    /// Requests that it has served to their end.
    pub served: u64,
    /// Of these, those that were in vain: the client had given up, or the answer was lost.
    pub wasted: u64,
    /// The share of its workers' time in which they served; 0 without a server.
    pub utilisation: f64,
    /// Withdrawals that its budgets have granted: a retry, and in the budget of a suppressed call each retry of a call
    /// around it. What tiers share counts at the first of them.
    pub granted: u64,
    /// Withdrawals that its budgets have refused.
    pub refused: u64,
}

/// How long after the trigger's end the service was well again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recovery {
    /// Nothing happened that it could recover from.
    NoTrigger,
    /// After this long.
    After(Duration),
    /// Not before the calls ceased.
    Never,
}

impl Outcome {
    /// What happened at the watched tier.
    pub fn watched(&self) -> Option<&TierOutcome> {
        self.tiers.get(self.watch)
    }

    /// Attempts at the watched tier for each logical call of the window.
    pub fn amplification(&self) -> f64 {
        ratio(self.watched().map_or(0, |tier| tier.attempts), self.calls)
    }

    /// The share of calls that succeeded.
    pub fn success(&self) -> f64 {
        ratio(self.succeeded, self.calls)
    }

    /// The most retries that began in any 10 ms of the window, as a rate: a second.
    pub fn peak_10ms(&self) -> f64 {
        peak(&self.series.retries, self.window, Series::STEP) * 100.0
    }

    /// The most retries that began in any second of the window, counted from its start.
    pub fn peak_1s(&self) -> f64 {
        peak(&self.series.retries, self.window, Duration::from_secs(1))
    }

    /// In milliseconds; of the calls that succeeded.
    pub fn percentile(&self, quantile: f64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "microseconds of minutes")]
        let micros = self.latency.value_at_quantile(quantile) as f64;
        micros / 1e3
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
