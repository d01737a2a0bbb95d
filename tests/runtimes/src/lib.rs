//! A dependency for the tests to call.
#![forbid(unsafe_code)]

use std::sync::atomic::{AtomicU32, Ordering};

use stormless::Retryable;

/// The page about runtimes: its examples run on them.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/runtimes.md")]
struct Page;

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
    /// The breaker is open.
    #[retryable(breaker_open)]
    Open,
}

/// Fails, or says nothing, a number of times, and answers 7 from then on.
#[derive(Debug, Default)]
pub struct Dependency {
    failing: u32,
    silent: u32,
    bodies: AtomicU32,
}

impl Dependency {
    /// Down this often.
    #[must_use]
    pub fn failing(failing: u32) -> Self {
        Self { failing, ..Self::default() }
    }

    /// Never answers this often.
    #[must_use]
    pub fn silent(silent: u32) -> Self {
        Self { silent, ..Self::default() }
    }

    /// How many bodies ran.
    pub fn bodies(&self) -> u32 {
        self.bodies.load(Ordering::Relaxed)
    }

    /// One body of a function that is async.
    ///
    /// # Errors
    ///
    /// [`Failure::Down`] as often as it was told.
    pub async fn answer(&self) -> Result<u64, Failure> {
        if self.bodies() < self.silent {
            self.bodies.fetch_add(1, Ordering::Relaxed);
            return std::future::pending().await;
        }
        self.answer_at_once()
    }

    /// One body of a function that blocks.
    ///
    /// # Errors
    ///
    /// [`Failure::Down`] as often as it was told.
    pub fn answer_at_once(&self) -> Result<u64, Failure> {
        let before = self.bodies.fetch_add(1, Ordering::Relaxed);
        if before < self.failing { Err(Failure::Down) } else { Ok(7) }
    }
}
