//! Error types, each classified by another form of the derive.

use std::{error::Error, fmt, io, num::ParseIntError, time::Duration};

use stormless::{AttemptTimeout, BreakerOpen, Classification, DeadlineExceeded, Retryable};

/// Why an order could not be had: a class for each variant, and how a cut is reported.
#[derive(Debug, Retryable)]
pub enum OrderError {
    /// Connection refused.
    #[retryable(transient)]
    Unavailable,
    /// The server asks for less.
    #[retryable(throttled, retry_after = wait, base = "200ms", cost = 2)]
    Busy {
        /// What it asked for.
        wait: Option<Duration>,
    },
    /// Lost against a concurrent change.
    #[retryable(conflict, attempts = 2)]
    Stale(u64),
    /// No answer in time.
    #[retryable(timeout, not_executed)]
    NoAnswer,
    /// There is no such order.
    #[retryable(permanent, executed)]
    NotFound,
    /// Somebody stopped the work.
    #[retryable(cancelled)]
    Stopped,
    /// The connection pool is empty.
    #[retryable(throttled, local)]
    PoolExhausted,
    /// The connection failed.
    #[retryable(forward)]
    Io(io::Error),
    /// The answer is no number.
    #[retryable(with = Self::permanently)]
    Malformed(ParseIntError),
    /// What the server answered.
    #[retryable(status = code, retry_after = wait)]
    Http {
        /// The status.
        code: u16,
        /// Its header `Retry-After`.
        wait: Duration,
    },
    /// An attempt took too long.
    #[retryable(attempt_timeout)]
    TooSlow,
    /// The deadline passed.
    #[retryable(deadline_exceeded)]
    OutOfTime(DeadlineExceeded),
    /// The breaker is open.
    #[retryable(breaker_open)]
    Open(BreakerOpen),
}

impl OrderError {
    const fn permanently(&self) -> Classification {
        if matches!(self, Self::Malformed(_)) {
            Classification::permanent().executed()
        } else {
            Classification::permanent()
        }
    }
}

impl From<io::Error> for OrderError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ParseIntError> for OrderError {
    fn from(error: ParseIntError) -> Self {
        Self::Malformed(error)
    }
}

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy { wait: Some(wait) } => write!(f, "busy for {wait:?}"),
            Self::Io(error) => error.fmt(f),
            _ => f.write_str(self.label()),
        }
    }
}

impl Error for OrderError {}

/// A service is down: a struct with one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Retryable)]
#[retryable(transient)]
pub struct Down;

/// A refusal whose status decides.
#[derive(Debug, Retryable)]
#[retryable(status = status, retry_after = wait)]
pub struct Refused {
    /// The status.
    pub status: u16,
    /// What the server asked for.
    pub wait: Option<Duration>,
}

/// Another error with what was done: the inner error decides.
#[derive(Debug, Retryable)]
#[retryable(forward = source)]
pub struct During<'a, E> {
    /// What was done.
    pub work: &'a str,
    /// What went wrong.
    pub source: E,
}

/// One of two errors, and markers that hold the cut.
#[derive(Debug, Retryable)]
pub enum Either<L, R>
where
    L: fmt::Debug,
{
    /// The first call's.
    #[retryable(forward)]
    Left(L),
    /// The second call's.
    #[retryable(forward, maybe_executed)]
    Right(Box<R>),
    /// An attempt took too long.
    #[retryable(attempt_timeout)]
    TooSlow {
        /// The cut.
        cut: AttemptTimeout,
    },
    /// The deadline passed.
    #[retryable(deadline_exceeded)]
    OutOfTime,
}

/// Few of many are worth a retry.
#[derive(Debug, Retryable)]
#[retryable(default = permanent)]
pub enum CartError {
    /// Sold out.
    OutOfStock {
        /// What is.
        article: u64,
    },
    /// The card was declined.
    Declined(u16),
    /// Somebody else changed it.
    #[retryable(conflict, base = "5ms")]
    Changed,
}

/// A call that the clock ended: a struct that is a marker.
#[derive(Debug, Retryable)]
#[retryable(deadline_exceeded)]
pub struct Late;

/// What earlier releases failed with.
#[derive(Debug, Retryable)]
#[non_exhaustive]
pub enum OldError {
    /// A number.
    #[retryable(status = 0)]
    Code(u16),
    /// A wait.
    #[retryable(throttled, retry_after = r#for)]
    Wait {
        /// How long.
        #[deprecated(note = "use `Code`")]
        r#for: Duration,
    },
    /// Nor these.
    #[deprecated(note = "use `Code`")]
    #[retryable(forward)]
    Io(io::Error),
    /// Nor these.
    #[deprecated(note = "use `Code`")]
    #[retryable(deadline_exceeded)]
    Late,
}

/// What the first release failed with.
#[deprecated(note = "use `OrderError`")]
#[derive(Debug, Retryable)]
#[retryable(breaker_open)]
pub struct FirstError;
