//! What `on_retry` is told.

use std::time::Duration;

use crate::Classification;
#[cfg(feature = "adaptive")]
use crate::adaptive::AdaptiveDecision;

/// A failed attempt that will be followed by another; given to `on_retry` before the wait.
#[derive(Debug)]
#[non_exhaustive]
pub struct RetryEvent<'a, E> {
    pub(crate) site: &'static str,
    pub(crate) error: Option<&'a E>,
    pub(crate) attempt: u32,
    pub(crate) delay: Duration,
    pub(crate) classification: Classification,
    pub(crate) label: &'static str,
    #[cfg(feature = "adaptive")]
    pub(crate) adaptive: Option<AdaptiveDecision>,
}

impl<'a, E> RetryEvent<'a, E> {
    /// The annotated function.
    #[must_use]
    pub const fn site(&self) -> &'static str {
        self.site
    }

    /// The error of the failed attempt; `None` where an `Ok` was classified as a failure, or where the
    /// attempt was cut and the function returns `RetryError`.
    #[must_use]
    pub const fn error(&self) -> Option<&'a E> {
        self.error
    }

    /// The number of the attempt that failed; the first is 1.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The delay that will be slept.
    #[must_use]
    pub const fn delay(&self) -> Duration {
        self.delay
    }

    /// What the failure meant.
    pub const fn classification(&self) -> Classification {
        self.classification
    }

    /// The error's label.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        self.label
    }

    /// How an adaptive backoff drew the delay, and why: its growth, the jitter coefficient and the load.
    /// `None` for every other strategy.
    #[cfg(feature = "adaptive")]
    #[must_use]
    pub const fn adaptive(&self) -> Option<AdaptiveDecision> {
        self.adaptive
    }
}
