//! What `on_retry` is told.

use std::time::Duration;

use crate::Classification;
#[cfg(feature = "adaptive")]
use crate::adaptive::AdaptiveDecision;

/// A failed attempt that will be followed by another, or a slow one beside which another starts; given to
/// `on_retry` before the wait, or as the other one starts.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, RetryEvent};
/// use std::io;
///
/// fn log(event: &RetryEvent<'_, io::Error>) {
///     println!(
///         "{}: attempt {} failed ({}, {:?}): {:?}; the next one in {:?}",
///         event.site(), event.attempt(), event.label(), event.classification().kind(),
///         event.error(), event.delay(),
///     );
///     assert!(!event.is_hedge() && event.delay().as_millis() <= 100);
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
/// assert!(Policy::new().run(refused).on_retry(log).await.is_err());
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct RetryEvent<'a, E> {
    pub(crate) site: &'static str,
    pub(crate) error: Option<&'a E>,
    pub(crate) attempt: u32,
    pub(crate) delay: Duration,
    pub(crate) classification: Classification,
    pub(crate) label: &'static str,
    pub(crate) hedge: bool,
    #[cfg(feature = "adaptive")]
    pub(crate) adaptive: Option<AdaptiveDecision>,
}

impl<'a, E> RetryEvent<'a, E> {
    /// The annotated function.
    #[must_use]
    pub const fn site(&self) -> &'static str {
        self.site
    }

    /// Whether this is a hedge: no attempt has failed, but none has answered for so long that another one
    /// starts beside them.
    #[must_use]
    pub const fn is_hedge(&self) -> bool {
        self.hedge
    }

    /// The error of the failed attempt; `None` where an `Ok` was classified as a failure, where the
    /// attempt was cut and the function returns `RetryError`, and for a hedge.
    #[must_use]
    pub const fn error(&self) -> Option<&'a E> {
        self.error
    }

    /// The number of the attempt that failed; the first is 1. For a hedge, that of the attempt that
    /// started last before it.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The delay that will be slept. For a hedge, the delay after which it starts.
    #[must_use]
    pub const fn delay(&self) -> Duration {
        self.delay
    }

    /// What the failure meant. For a hedge it is that of a timeout.
    pub const fn classification(&self) -> Classification {
        self.classification
    }

    /// The error's label. For a hedge it is `hedge`.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        self.label
    }

    /// How an adaptive backoff drew the delay, and why: its growth, the jitter coefficient and the load.
    /// `None` for every other strategy.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, RetryEvent};
    /// use std::io;
    ///
    /// fn log(event: &RetryEvent<'_, io::Error>) {
    ///     assert!(event.adaptive().is_none(), "full jitter asks nobody");
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
    /// assert!(Policy::new().run(refused).on_retry(log).await.is_err());
    /// # }
    /// ```
    #[cfg(feature = "adaptive")]
    #[must_use]
    pub const fn adaptive(&self) -> Option<AdaptiveDecision> {
        self.adaptive
    }
}
