//! A dependency and calls to it, as a service has them, for the tests of the build that services run.
#![forbid(unsafe_code)]

use std::sync::atomic::{AtomicUsize, Ordering};

use stormless::Retryable;

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Retryable)]
pub enum Failure {
    /// Worth a retry.
    #[retryable(transient)]
    Down,
    /// Not worth one.
    #[retryable(permanent)]
    Refused,
    /// The deadline passed.
    #[retryable(deadline_exceeded)]
    TooLate,
}

/// Fails a number of times, then answers.
#[derive(Debug)]
pub struct Dependency {
    failures: usize,
    bodies: AtomicUsize,
}

impl Dependency {
    /// Down this often.
    #[must_use]
    pub const fn failing(failures: usize) -> Self {
        Self { failures, bodies: AtomicUsize::new(0) }
    }

    /// Down for ever.
    #[must_use]
    pub const fn dead() -> Self {
        Self::failing(usize::MAX)
    }

    /// One body runs.
    ///
    /// # Errors
    ///
    /// [`Failure::Down`] as often as it was told.
    pub fn answer(&self) -> Result<u64, Failure> {
        let before = self.bodies.fetch_add(1, Ordering::Relaxed);
        if before < self.failures { Err(Failure::Down) } else { Ok(7) }
    }

    /// How many bodies ran.
    #[must_use]
    pub fn bodies(&self) -> usize {
        self.bodies.load(Ordering::Relaxed)
    }
}

/// Does not compile without the feature that it needs.
///
/// # Errors
///
/// Always.
#[cfg(feature = "asks-for-adaptive")]
#[stormless::retry(backoff = "adaptive", breaker = none)]
pub async fn asks_for_adaptive() -> Result<(), Failure> {
    Err(Failure::Down)
}
