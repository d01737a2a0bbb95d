//! A dependency for the tests to call.
#![forbid(unsafe_code)]

use std::sync::atomic::{AtomicU32, Ordering};

use stormless::Retryable;

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Retryable)]
pub enum Failure {
    /// Worth a retry.
    #[retryable(transient)]
    Down,
    /// The attempt took too long.
    #[retryable(attempt_timeout)]
    Slow,
    /// The deadline passed.
    #[retryable(deadline_exceeded)]
    TooLate,
}

/// Fails a number of times, then answers.
#[derive(Debug)]
pub struct Dependency {
    failures: u32,
    bodies: AtomicU32,
}

impl Dependency {
    /// Down this often.
    #[must_use]
    pub const fn failing(failures: u32) -> Self {
        Self { failures, bodies: AtomicU32::new(0) }
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
    pub fn bodies(&self) -> u32 {
        self.bodies.load(Ordering::Relaxed)
    }
}
