//! The last error, together with how the call came to stop.

use std::{error::Error, fmt, time::Duration};

use crate::{Cut, StopReason};

/// The error of a function that wants to return more than its own: the last attempt's error, or the
/// cut that came before the first attempt, and the call's record.
///
/// Write it into the return type, and the body still works with `E` and `?`:
///
/// ```text
/// #[retry(attempts = 3)]
/// async fn load(id: u64) -> Result<Row, RetryError<StoreError>> { … }
/// ```
///
/// Closures get it by [`explain`](crate::run::Run::explain):
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, RetryError, StopReason};
/// use std::io;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
/// let error: RetryError<io::Error> = Policy::new().run(refused).explain().await.unwrap_err();
/// assert_eq!((error.attempts(), error.reason()), (3, StopReason::AttemptsExhausted));
/// assert!(error.slept().as_millis() <= 150);
/// assert!(error.cut().is_none());
/// assert_eq!(error.get_ref().unwrap().kind(), io::ErrorKind::ConnectionRefused);
/// println!("{error}");
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetryError<E> {
    error: Option<E>,
    cut: Option<Cut>,
    attempts: u32,
    slept: Duration,
    reason: StopReason,
}

impl<E> RetryError<E> {
    pub(crate) const fn new(
        error: Option<E>,
        cut: Option<Cut>,
        attempts: u32,
        slept: Duration,
        reason: StopReason,
    ) -> Self {
        Self { error, cut, attempts, slept, reason }
    }

    pub(crate) const fn from_cut(cut: Cut) -> Self {
        let reason = match cut {
            Cut::AttemptTimeout(_) => StopReason::AttemptsExhausted,
            Cut::DeadlineExceeded(_) => StopReason::DeadlineExceeded,
            Cut::BreakerOpen(_) => StopReason::BreakerOpen,
        };
        Self::new(None, Some(cut), 0, Duration::ZERO, reason)
    }

    /// How many attempts started, the first included; 0 if the call was cut before its first.
    #[must_use]
    pub const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// How long the call slept between attempts, in all.
    #[must_use]
    pub const fn slept(&self) -> Duration {
        self.slept
    }

    /// Why no further attempt followed.
    #[must_use]
    pub const fn reason(&self) -> StopReason {
        self.reason
    }

    /// Your own error, unless the last attempt was cut or none started.
    #[must_use]
    pub const fn get_ref(&self) -> Option<&E> {
        self.error.as_ref()
    }

    /// Your own error, unless the last attempt was cut or none started.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    /// use std::io;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let missing = async || Err::<(), _>(io::Error::from(io::ErrorKind::NotFound));
    /// let error = Policy::new().run(missing).explain().await.unwrap_err();
    /// assert_eq!(error.into_inner().map(|own| own.kind()), Some(io::ErrorKind::NotFound));
    /// # }
    /// ```
    #[must_use]
    pub fn into_inner(self) -> Option<E> {
        self.error
    }

    /// How the last attempt was cut, or why none started, where that is what ended the call.
    #[must_use]
    pub const fn cut(&self) -> Option<Cut> {
        self.cut
    }
}

impl<E: fmt::Display> fmt::Display for RetryError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.error, &self.cut) {
            (Some(error), _) => write!(f, "{error}")?,
            (None, Some(cut)) => write!(f, "{cut}")?,
            (None, None) => f.write_str("the call stopped")?,
        }
        let plural = if self.attempts == 1 { "" } else { "s" };
        write!(f, " (after {} attempt{plural}: {})", self.attempts, self.reason)
    }
}

/// Its text begins with that of your error, so its source is your error's own source: whoever prints
/// the chain prints each link once. Your error itself is [`get_ref`](RetryError::get_ref).
impl<E: Error> Error for RetryError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match (&self.error, &self.cut) {
            (Some(error), _) => error.source(),
            (None, Some(cut)) => cut.source(),
            (None, None) => None,
        }
    }
}
