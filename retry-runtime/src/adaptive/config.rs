//! What the adaptive engine goes by.

use crate::ConfigError;

/// What the adaptive backoff goes by: a plain value, made in `const` context, for
/// `adaptive = …` beside `backoff = "adaptive"` and for [`Backoff::Adaptive`](crate::Backoff::Adaptive).
///
/// Builders never fail; they remember the first setting that makes no sense, and
/// [`check`](Self::check) returns it. A policy with a faulty one never retries.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Backoff, Policy, adaptive::Adaptive};
///
/// static PATIENT: Adaptive = Adaptive::new().cpu_above(0.7).tasks_above(1_000).keep_base();
/// static POLICY: Policy = Policy::new().backoff(Backoff::Adaptive(&PATIENT));
/// assert!(POLICY.check().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "a configuration does nothing until a function uses it"]
pub struct Adaptive {
    pub(super) cpu_above: f64,
    pub(super) tasks_above: u64,
    pub(super) deviation: f64,
    pub(super) base_factor: f64,
    pub(super) min_spread: f64,
    fault: Option<ConfigError>,
}

impl Adaptive {
    /// Linear above 80 % of the processor or 5,000 live tasks; `base · 0.7` after a retry that took more
    /// than 200 % longer than the 95th percentile; at least half of each delay left to chance.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::Adaptive;
    ///
    /// assert!(Adaptive::new().check().is_ok());
    /// ```
    pub const fn new() -> Self {
        Self {
            cpu_above: 0.8,
            tasks_above: 5_000,
            deviation: 2.0,
            base_factor: 0.7,
            min_spread: 0.5,
            fault: None,
        }
    }

    /// Delays grow linearly while more than this share of the processor is in use: above 0, at most 1. It
    /// is never more than all, so 1 leaves the processor out of it.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::{Adaptive, AdaptiveReading, Growth, Load};
    ///
    /// let adaptive = Adaptive::new().cpu_above(0.5);
    /// let busy = AdaptiveReading::new(Load::new().cpu(0.6));
    /// assert_eq!(adaptive.evaluate(&busy).growth(), Growth::Linear);
    /// assert!(Adaptive::new().cpu_above(1.5).check().is_err());
    /// ```
    pub const fn cpu_above(mut self, share: f64) -> Self {
        if !(share > 0.0 && share <= 1.0) {
            return self.faulty(share, "`cpu_above` must be a share above 0 and at most 1");
        }
        self.cpu_above = share;
        self
    }

    /// Delays grow linearly while more tasks than this are alive. `u64::MAX` leaves the tasks out of it.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::{Adaptive, AdaptiveReading, Growth, Load};
    ///
    /// let adaptive = Adaptive::new().tasks_above(1_000);
    /// let busy = AdaptiveReading::new(Load::new().live_tasks(1_200));
    /// assert_eq!(adaptive.evaluate(&busy).growth(), Growth::Linear);
    /// ```
    pub const fn tasks_above(mut self, tasks: u64) -> Self {
        self.tasks_above = tasks;
        self
    }

    /// A retry has deviated if its latency is farther from the function's 95th percentile than this many
    /// times the percentile: finite, above 0. With 2.0 that is one that took more than three times as
    /// long; no latency is so short that it deviates by more than 1.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::{Adaptive, AdaptiveReading, Load};
    /// use std::time::Duration;
    ///
    /// let slow = AdaptiveReading::new(Load::new())
    ///     .p95(Duration::from_millis(20))
    ///     .last_retry(Duration::from_millis(90));
    /// assert_eq!(Adaptive::new().evaluate(&slow).base_factor(), 0.7);
    /// assert_eq!(Adaptive::new().deviation(5.0).evaluate(&slow).base_factor(), 1.0);
    /// ```
    pub const fn deviation(mut self, times: f64) -> Self {
        if !(times > 0.0 && times.is_finite()) {
            return self.faulty(times, "`deviation` must be a finite number above 0");
        }
        self.deviation = times;
        self
    }

    /// What the base is multiplied by after a retry that has deviated: above 0, at most 10. Above 1 it
    /// gives a slow dependency more time, and not less.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::{Adaptive, AdaptiveReading, Load};
    /// use std::time::Duration;
    ///
    /// let slow = AdaptiveReading::new(Load::new())
    ///     .p95(Duration::from_millis(20))
    ///     .last_retry(Duration::from_millis(90));
    /// assert_eq!(Adaptive::new().base_factor(1.5).evaluate(&slow).base_factor(), 1.5);
    /// assert!(Adaptive::new().base_factor(11.0).check().is_err());
    /// ```
    pub const fn base_factor(mut self, factor: f64) -> Self {
        if !(factor > 0.0 && factor <= 10.0) {
            return self.faulty(factor, "`base_factor` must be above 0 and at most 10");
        }
        self.base_factor = factor;
        self
    }

    /// The base stays as it is, whatever a retry took.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::{Adaptive, AdaptiveReading, Load};
    /// use std::time::Duration;
    ///
    /// let slow = AdaptiveReading::new(Load::new())
    ///     .p95(Duration::from_millis(20))
    ///     .last_retry(Duration::from_millis(90));
    /// assert_eq!(Adaptive::new().keep_base().evaluate(&slow).base_factor(), 1.0);
    /// ```
    pub const fn keep_base(self) -> Self {
        self.base_factor(1.0)
    }

    /// The share of each delay that is always left to chance, however calm everything is: from 0 to 1.
    /// With 0, callers that fail together come back together while the coefficient is 0.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::{Adaptive, AdaptiveReading};
    ///
    /// let calm = AdaptiveReading::default();
    /// assert_eq!(Adaptive::new().min_spread(0.2).evaluate(&calm).spread(), 0.2);
    /// ```
    pub const fn min_spread(mut self, share: f64) -> Self {
        if !(share >= 0.0 && share <= 1.0) {
            return self.faulty(share, "`min_spread` must be a share from 0 to 1");
        }
        self.min_spread = share;
        self
    }

    const fn faulty(mut self, value: f64, requirement: &'static str) -> Self {
        if self.fault.is_none() {
            self.fault = Some(ConfigError::Adaptive { value, requirement });
        }
        self
    }

    /// Whether every setting makes sense.
    ///
    /// # Errors
    ///
    /// The first setting that does not, with its value.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::adaptive::Adaptive;
    ///
    /// assert!(Adaptive::new().min_spread(2.0).check().is_err());
    /// ```
    pub const fn check(&self) -> Result<(), ConfigError> {
        match self.fault {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }
}

impl Default for Adaptive {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_fault_is_remembered_with_its_value() {
        let faulty = Adaptive::new().cpu_above(80.0).deviation(-1.0).min_spread(0.9);
        let fault = faulty.check().unwrap_err();
        assert_eq!(fault.to_string(), "`cpu_above` must be a share above 0 and at most 1, not 80");
        assert_eq!(faulty.cpu_above.to_bits(), 0.8_f64.to_bits(), "the default stays");
    }

    #[test]
    fn numbers_out_of_range_are_refused_and_the_ends_are_not() {
        let new = Adaptive::new;
        for faulty in [
            new().cpu_above(0.0),
            new().cpu_above(1.1),
            new().cpu_above(f64::NAN),
            new().deviation(0.0),
            new().deviation(f64::INFINITY),
            new().base_factor(0.0),
            new().base_factor(10.1),
            new().base_factor(f64::NAN),
            new().min_spread(-0.1),
            new().min_spread(1.1),
            new().min_spread(f64::NAN),
        ] {
            assert!(matches!(faulty.check(), Err(ConfigError::Adaptive { .. })), "{faulty:?}");
        }
        for sound in [
            new(),
            new().cpu_above(1.0).tasks_above(0).deviation(1e-9).base_factor(10.0).min_spread(1.0),
            new().cpu_above(1e-9).tasks_above(u64::MAX).keep_base().min_spread(0.0),
        ] {
            assert_eq!(sound.check(), Ok(()));
        }
    }
}
