//! What the tests of both sides share; the pages of `docs/migration` are compiled and run as its doctests.

#![forbid(unsafe_code)]

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use stormless::Retryable;

/// What a call fails with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Retryable)]
pub enum Failure {
    /// Worth another attempt.
    #[error("unavailable")]
    #[retryable(transient)]
    Down,
    /// No repeat helps.
    #[error("no such order")]
    #[retryable(permanent, executed)]
    Gone,
    /// The server says when to come back.
    #[error("busy")]
    #[retryable(throttled, retry_after = wait)]
    Busy {
        /// What it asks for.
        wait: Duration,
    },
    /// The request was sent, and the answer never came.
    #[error("connection lost")]
    #[retryable(transient, maybe_executed)]
    Lost,
    /// A deadline passed.
    #[error("out of time")]
    #[retryable(deadline_exceeded)]
    OutOfTime,
}

/// A dependency that counts how often it is called; clones count together.
#[derive(Clone, Debug, Default)]
pub struct Calls(Arc<AtomicU32>);

impl Calls {
    /// One more call, which fails.
    ///
    /// # Errors
    ///
    /// The failure that it is given.
    pub fn fail(&self, failure: Failure) -> Result<u32, Failure> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Err(failure)
    }

    /// One more call, which fails unless it is the `n`th.
    ///
    /// # Errors
    ///
    /// [`Failure::Down`].
    pub fn succeed_at(&self, n: u32) -> Result<u32, Failure> {
        let call = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        if call == n { Ok(call) } else { Err(Failure::Down) }
    }

    /// How many there were.
    pub fn count(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Milliseconds.
pub const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/migration/backon.md")]
struct Backon;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/migration/tokio-retry.md")]
struct TokioRetry;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/migration/tower-retry.md")]
struct TowerRetry;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/migration/tower-resilience.md")]
struct TowerResilience;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/migration/reqwest-retry.md")]
struct ReqwestRetry;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/migration/hand-written.md")]
struct HandWritten;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/migration/dictionary.md")]
struct Dictionary;
