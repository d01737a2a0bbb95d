//! The numbers of a schedule.

use std::time::Duration;

use super::growth;
use crate::time::nanos;
use crate::{Classification, ConfigError};

/// The numbers of a schedule: where the delays start, where they end, how fast they grow.
///
/// Any numbers can be used without a panic. What [`check`](Self::check) would refuse acts so: a
/// `base` above `max` is cut to `max`, a `factor` below 1 or NaN is 1.
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::engine::Steps;
/// use std::time::Duration;
///
/// const STEPS: Steps = Steps::new(Duration::from_millis(50), Duration::from_secs(1), 2.0);
/// assert!(STEPS.check().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    base: Duration,
    max: Duration,
    factor: f64,
}

impl Steps {
    /// Delays that start at `base`, are multiplied by `factor` with each retry where the strategy
    /// is exponential, and are never above `max`. Durations beyond 584 years act like 584 years.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::engine::Steps;
    /// use std::time::Duration;
    ///
    /// let steps = Steps::new(Duration::from_millis(50), Duration::from_secs(20), 2.0);
    /// assert_eq!(steps.base(), Duration::from_millis(50));
    /// assert_eq!((steps.max(), steps.factor()), (Duration::from_secs(20), 2.0));
    /// ```
    pub const fn new(base: Duration, max: Duration, factor: f64) -> Self {
        Self { base, max, factor }
    }

    /// The first delay, before jitter.
    pub const fn base(&self) -> Duration {
        self.base
    }

    /// The longest delay, jitter included.
    pub const fn max(&self) -> Duration {
        self.max
    }

    /// What the delay is multiplied by from one retry to the next.
    pub const fn factor(&self) -> f64 {
        self.factor
    }

    /// The same numbers with another base.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::engine::Steps;
    /// use std::time::Duration;
    ///
    /// let steps = Steps::new(Duration::from_millis(50), Duration::from_secs(20), 2.0);
    /// assert_eq!(steps.with_base(Duration::from_secs(1)).base(), Duration::from_secs(1));
    /// ```
    pub const fn with_base(mut self, base: Duration) -> Self {
        self.base = base;
        self
    }

    /// The numbers that hold after this failure: its own base where its class has one.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Classification, engine::Steps};
    /// use std::time::Duration;
    ///
    /// let steps = Steps::new(Duration::from_millis(50), Duration::from_secs(20), 2.0);
    /// let slow_down = Classification::throttled().base(Duration::from_secs(1));
    /// assert_eq!(steps.after(&slow_down).base(), Duration::from_secs(1));
    /// assert_eq!(steps.after(&Classification::transient()), steps);
    /// ```
    pub const fn after(self, failure: &Classification) -> Self {
        match failure.base_override() {
            Some(base) => self.with_base(base),
            None => self,
        }
    }

    /// Whether the numbers make sense.
    ///
    /// # Errors
    ///
    /// [`ConfigError::BaseAboveMax`], and [`ConfigError::Factor`] for a factor that is below 1,
    /// infinite or NaN.
    pub const fn check(&self) -> Result<(), ConfigError> {
        if self.base.as_nanos() > self.max.as_nanos() {
            return Err(ConfigError::BaseAboveMax { base: self.base, max: self.max });
        }
        if !self.factor.is_finite() || self.factor < 1.0 {
            return Err(ConfigError::Factor(self.factor));
        }
        Ok(())
    }

    /// `min(max, base · factor^retry)` in nanoseconds.
    pub(super) fn exponential(&self, retry: u32) -> u64 {
        growth::exponential(self.base_nanos(), self.factor, retry).min(self.max_nanos())
    }

    pub(super) const fn base_nanos(&self) -> u64 {
        nanos(self.base)
    }

    pub(super) const fn max_nanos(&self) -> u64 {
        nanos(self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_base_above_the_maximum_is_refused_and_both_are_shown() {
        // R034
        let steps = Steps::new(Duration::from_secs(5), SECOND, 2.0);
        let error = steps.check().unwrap_err();
        assert_eq!(error, ConfigError::BaseAboveMax { base: Duration::from_secs(5), max: SECOND });
        let message = error.to_string();
        assert!(message.contains("5s") && message.contains("1s"), "{message}");
        assert_eq!(Steps::new(SECOND, SECOND, 2.0).check(), Ok(()));
    }

    #[test]
    fn a_factor_that_shrinks_or_means_nothing_is_refused() {
        for factor in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 0.999] {
            let refused = Steps::new(SECOND, SECOND, factor).check();
            assert!(matches!(refused, Err(ConfigError::Factor(_))), "{factor}: {refused:?}");
        }
        for factor in [1.0, 1.5, 1e9] {
            assert_eq!(Steps::new(SECOND, SECOND, factor).check(), Ok(()));
        }
    }

    #[test]
    fn a_class_of_failures_brings_its_own_base() {
        let steps = Steps::new(SECOND, Duration::from_secs(30), 2.0);
        let slow_down = Classification::throttled().base(Duration::from_millis(100));
        assert_eq!(steps.after(&slow_down).base(), Duration::from_millis(100));
        assert_eq!(steps.after(&Classification::throttled()), steps);
    }
}
