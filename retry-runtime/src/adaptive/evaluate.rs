//! From what is known after a failure to how the next delay is drawn: no clock, no probe, no chance.

use std::{fmt, time::Duration};

use super::{
    Adaptive, Load,
    jitter::{jitter_coefficient, spread},
};
use crate::backoff::{Backoff, Growth, Shape};

/// Linear growth ends when the load is at most this share of what began it, so that a load that sways
/// around the threshold does not switch back and forth: with the defaults at 72 % and 4,500 tasks.
const BACK_BELOW: f64 = 0.9;

/// What is known after a failed attempt. What is not counts as calm.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::adaptive::{Adaptive, AdaptiveReading, Growth, Load};
/// use std::time::Duration;
///
/// let reading = AdaptiveReading::new(Load::new().cpu(0.9))
///     .variance(25.0)
///     .p95(Duration::from_millis(20))
///     .last_retry(Duration::from_millis(90));
/// let decision = Adaptive::new().evaluate(&reading);
/// assert_eq!(decision.growth(), Growth::Linear);
/// assert_eq!(decision.base_factor(), 0.7);
/// assert!((decision.jitter() - 0.445).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[must_use = "a reading does nothing until it is evaluated"]
pub struct AdaptiveReading {
    load: Load,
    growth: Growth,
    variance: Option<f64>,
    p95: Option<Duration>,
    last_retry: Option<Duration>,
}

impl AdaptiveReading {
    /// How busy the process is, and nothing about latencies.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::{Adaptive, AdaptiveReading, Load};
    ///
    /// let load = Load::new().cpu(0.5);
    /// assert_eq!(Adaptive::new().evaluate(&AdaptiveReading::new(load)).load(), load);
    /// ```
    pub const fn new(load: Load) -> Self {
        Self { load, growth: Growth::Exponential, variance: None, p95: None, last_retry: None }
    }

    /// How the function's delays grew until now: linear growth ends later than it begins.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::{Adaptive, AdaptiveReading, Growth, Load};
    ///
    /// // Hardly below the threshold of 0.8: what is linear stays linear.
    /// let reading = AdaptiveReading::new(Load::new().cpu(0.79)).growth(Growth::Linear);
    /// assert_eq!(Adaptive::new().evaluate(&reading).growth(), Growth::Linear);
    /// ```
    pub const fn growth(mut self, growth: Growth) -> Self {
        self.growth = growth;
        self
    }

    /// The variance of the function's last 32 round trips, in square milliseconds.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::{Adaptive, AdaptiveReading, Load};
    ///
    /// let reading = AdaptiveReading::new(Load::new()).variance(100.0);
    /// assert_eq!(Adaptive::new().evaluate(&reading).jitter(), 0.7);
    /// ```
    pub const fn variance(mut self, variance: f64) -> Self {
        self.variance = Some(variance);
        self
    }

    /// The 95th percentile of the function's latency.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::{Adaptive, AdaptiveReading, Load};
    /// use std::time::Duration;
    ///
    /// let reading = AdaptiveReading::new(Load::new())
    ///     .p95(Duration::from_millis(20))
    ///     .last_retry(Duration::from_millis(21));
    /// assert_eq!(Adaptive::new().evaluate(&reading).base_factor(), 1.0);
    /// ```
    pub const fn p95(mut self, p95: Duration) -> Self {
        self.p95 = Some(p95);
        self
    }

    /// What the previous retry took; left out after a first attempt.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::{Adaptive, AdaptiveReading, Load};
    /// use std::time::Duration;
    ///
    /// let reading = AdaptiveReading::new(Load::new())
    ///     .p95(Duration::from_millis(20))
    ///     .last_retry(Duration::from_millis(90));
    /// assert_eq!(Adaptive::new().evaluate(&reading).base_factor(), 0.7);
    /// ```
    pub const fn last_retry(mut self, took: Duration) -> Self {
        self.last_retry = Some(took);
        self
    }
}

/// How the delay before one retry was drawn, and why. `on_retry` finds it in
/// [`RetryEvent::adaptive`](crate::RetryEvent::adaptive).
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::adaptive::{Adaptive, AdaptiveDecision, AdaptiveReading, Growth};
///
/// let calm: AdaptiveDecision = Adaptive::new().evaluate(&AdaptiveReading::default());
/// assert_eq!((calm.growth(), calm.jitter()), (Growth::Exponential, 0.0));
/// assert_eq!((calm.spread(), calm.base_factor()), (0.5, 1.0));
/// assert_eq!((calm.load().cpu_share(), calm.backoff().name()), (None, "adaptive"));
/// println!("{calm}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptiveDecision {
    growth: Growth,
    jitter: f64,
    spread: f64,
    base_factor: f64,
    load: Load,
}

impl AdaptiveDecision {
    /// How the delays grow: linearly under load.
    #[must_use]
    pub const fn growth(&self) -> Growth {
        self.growth
    }

    /// The jitter coefficient J, from 0 to 1; see [`jitter_coefficient`].
    #[must_use]
    pub const fn jitter(&self) -> f64 {
        self.jitter
    }

    /// The share of the delay that was left to chance, from
    /// [`min_spread`](Adaptive::min_spread) at `J = 0` to 1 at `J = 1`: the delay is drawn uniformly from
    /// `step · (1 − spread)` to `step`.
    #[must_use]
    pub const fn spread(&self) -> f64 {
        self.spread
    }

    /// What the base was multiplied by: 1, unless the previous retry deviated.
    #[must_use]
    pub const fn base_factor(&self) -> f64 {
        self.base_factor
    }

    /// How busy the process was.
    pub const fn load(&self) -> Load {
        self.load
    }

    /// The strategy that draws the delay. A simulator gives it to the policy of the retry.
    pub fn backoff(&self) -> Backoff {
        Backoff::Adapted(Shape::new(self.growth, self.base_factor, self.spread))
    }
}

impl fmt::Display for AdaptiveDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} growth, J {:.2}", self.growth, self.jitter)?;
        if let Some(cpu) = self.load.cpu_share() {
            write!(f, ", cpu {:.0} %", cpu * 100.0)?;
        }
        if let Some(tasks) = self.load.task_count() {
            write!(f, ", {tasks} tasks")?;
        }
        if (self.base_factor - 1.0).abs() > 0.0 {
            write!(f, ", base x {}", self.base_factor)?;
        }
        Ok(())
    }
}

impl Adaptive {
    /// How the next delay is drawn.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::{Adaptive, AdaptiveReading, Growth, Load};
    ///
    /// let decision = Adaptive::new().evaluate(&AdaptiveReading::new(Load::new().cpu(0.93)));
    /// assert_eq!(decision.growth(), Growth::Linear);
    /// ```
    #[must_use]
    pub fn evaluate(&self, reading: &AdaptiveReading) -> AdaptiveDecision {
        let jitter = jitter_coefficient(reading.variance, reading.load.cpu_share());
        AdaptiveDecision {
            growth: self.growth(reading),
            jitter,
            spread: spread(self.min_spread, jitter),
            base_factor: if self.has_deviated(reading) { self.base_factor } else { 1.0 },
            load: reading.load,
        }
    }

    /// Linear above either threshold. Once linear, until neither is nearly reached any more.
    fn growth(&self, reading: &AdaptiveReading) -> Growth {
        let begins = match reading.growth {
            Growth::Exponential => 1.0,
            Growth::Linear => BACK_BELOW,
        };
        let cpu = reading.load.cpu_share().unwrap_or(0.0);
        let tasks = approximate(reading.load.task_count().unwrap_or(0));
        if cpu > self.cpu_above * begins || tasks > approximate(self.tasks_above) * begins {
            Growth::Linear
        } else {
            Growth::Exponential
        }
    }

    /// Whether the previous retry's latency is farther from the percentile than `deviation` times the
    /// percentile.
    fn has_deviated(&self, reading: &AdaptiveReading) -> bool {
        let (Some(p95), Some(took)) = (reading.p95, reading.last_retry) else { return false };
        let (p95, took) = (p95.as_secs_f64(), took.as_secs_f64());
        (took - p95).abs() > self.deviation * p95
    }
}

#[expect(clippy::cast_precision_loss, reason = "a threshold needs no 64 bits of precision")]
const fn approximate(tasks: u64) -> f64 {
    tasks as f64
}

#[cfg(test)]
mod tests;
