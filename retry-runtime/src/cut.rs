//! Errors that stormless makes itself, and how a user's error type takes them in.

use std::time::Duration;

use crate::{Classification, Retryable};

/// An attempt ran longer than the site's `attempt_timeout`.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{AttemptTimeout, Policy};
/// use std::{io, time::Duration};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let slow = async || std::future::pending::<io::Result<()>>().await;
/// let call = Policy::new().run(slow).attempt_timeout(Duration::from_millis(200));
/// let error = call.await.unwrap_err();
/// assert!(error.get_ref().is_some_and(|inner| inner.is::<AttemptTimeout>()));
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the attempt took longer than its timeout")]
#[non_exhaustive]
pub struct AttemptTimeout;

/// The deadline passed, or too little time was left to start.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{DeadlineExceeded, deadline};
/// use std::time::Duration;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let slow = deadline::within(Duration::from_secs(1), std::future::pending::<()>());
/// let error: DeadlineExceeded = slow.await.unwrap_err();
/// assert_eq!(error.to_string(), "the deadline passed");
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the deadline passed")]
#[non_exhaustive]
pub struct DeadlineExceeded;

/// A breaker is open and refused the attempt, or a budget [shed](crate::Budget::shed) the call before its
/// first one.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::BreakerOpen;
/// use std::time::Duration;
///
/// let open = BreakerOpen::new(Some(Duration::from_secs(30)));
/// assert_eq!(open.retry_after(), Some(Duration::from_secs(30)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the breaker is open")]
#[non_exhaustive]
pub struct BreakerOpen {
    retry_after: Option<Duration>,
}

impl BreakerOpen {
    /// An open breaker that may admit a probe after `retry_after`.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{BreakerOpen, Hint, Retryable};
    /// use std::time::Duration;
    ///
    /// let wait = Duration::from_secs(30);
    /// assert_eq!(BreakerOpen::new(Some(wait)).classify().hint(), Some(Hint::RetryAfter(wait)));
    /// assert_eq!(BreakerOpen::new(None).classify().hint(), None);
    /// ```
    #[must_use]
    pub const fn new(retry_after: Option<Duration>) -> Self {
        Self { retry_after }
    }

    /// When the breaker may admit a probe, from now; `None` if nobody knows, and for a call that was shed.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }
}

impl AttemptTimeout {
    #[doc(hidden)]
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl DeadlineExceeded {
    #[doc(hidden)]
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl Default for AttemptTimeout {
    fn default() -> Self {
        Self::new()
    }
}

impl Default for DeadlineExceeded {
    fn default() -> Self {
        Self::new()
    }
}

/// Why stormless ended an attempt, or did not start one; what `cut_error` is given.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Cut, Policy};
/// use std::time::Duration;
///
/// #[derive(Debug, PartialEq)]
/// enum Failed { TooSlow, Refused }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let slow = async || std::future::pending::<Result<(), Failed>>().await;
/// let call = Policy::new()
///     .run(slow)
///     .classify(|_| stormless::Classification::permanent())
///     .cut_error(|cut| match cut {
///         Cut::BreakerOpen(_) => Failed::Refused,
///         _ => Failed::TooSlow,
///     })
///     .deadline(Duration::from_secs(1));
/// assert_eq!(call.await, Err(Failed::TooSlow));
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cut {
    /// The attempt's own timeout passed.
    #[error(transparent)]
    AttemptTimeout(#[from] AttemptTimeout),
    /// The call's deadline passed.
    #[error(transparent)]
    DeadlineExceeded(#[from] DeadlineExceeded),
    /// A breaker refused the attempt, or a budget shed the call.
    #[error(transparent)]
    BreakerOpen(#[from] BreakerOpen),
}

impl Retryable for AttemptTimeout {
    fn classify(&self) -> Classification {
        Classification::timeout()
    }
    fn label(&self) -> &'static str {
        "attempt_timeout"
    }
}

impl Retryable for DeadlineExceeded {
    fn classify(&self) -> Classification {
        Classification::timeout()
    }
    fn label(&self) -> &'static str {
        "deadline_exceeded"
    }
    fn deadline_exceeded() -> Option<Self> {
        Some(Self)
    }
}

impl Retryable for BreakerOpen {
    fn classify(&self) -> Classification {
        let refused = Classification::throttled().local();
        match self.retry_after {
            Some(wait) => refused.retry_after(wait),
            None => refused,
        }
    }
    fn label(&self) -> &'static str {
        "breaker_open"
    }
}

impl Retryable for Cut {
    fn classify(&self) -> Classification {
        match self {
            Self::AttemptTimeout(cut) => cut.classify(),
            Self::DeadlineExceeded(cut) => cut.classify(),
            Self::BreakerOpen(cut) => cut.classify(),
        }
    }
    fn label(&self) -> &'static str {
        match self {
            Self::AttemptTimeout(cut) => cut.label(),
            Self::DeadlineExceeded(cut) => cut.label(),
            Self::BreakerOpen(cut) => cut.label(),
        }
    }
    fn deadline_exceeded() -> Option<Self> {
        Some(Self::DeadlineExceeded(DeadlineExceeded))
    }
}

impl From<AttemptTimeout> for std::io::Error {
    fn from(cut: AttemptTimeout) -> Self {
        Self::new(std::io::ErrorKind::TimedOut, cut)
    }
}

impl From<DeadlineExceeded> for std::io::Error {
    fn from(cut: DeadlineExceeded) -> Self {
        Self::new(std::io::ErrorKind::TimedOut, cut)
    }
}

impl From<BreakerOpen> for std::io::Error {
    fn from(cut: BreakerOpen) -> Self {
        Self::other(cut)
    }
}
