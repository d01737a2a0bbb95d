//! How calls fail, and what production makes of it.

use std::time::Duration;

use retry_runtime::{AttemptTimeout, BreakerOpen, Classification, DeadlineExceeded, Retryable};

/// The error of all simulated functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// An HTTP status, and when to come back.
    Status(u16, Option<Duration>),
    /// The client gave up waiting. The work may have been done.
    TimedOut,
    /// Somebody else's change came between.
    Conflict,
    /// A time limit of the attribute's.
    Cut(Limit),
    /// The breaker refused the attempt.
    Refused(BreakerOpen),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    Attempt,
    Deadline,
}

impl Retryable for Failure {
    #[inline]
    fn classify(&self) -> Classification {
        match *self {
            Self::Status(status, hint) => {
                let class = Classification::from_status(status);
                hint.map_or(class, |hint| class.retry_after(hint))
            }
            Self::TimedOut => Classification::timeout().maybe_executed(),
            Self::Conflict => Classification::conflict(),
            Self::Cut(Limit::Attempt) => AttemptTimeout::new().classify(),
            Self::Cut(Limit::Deadline) => DeadlineExceeded::new().classify(),
            Self::Refused(open) => open.classify(),
        }
    }

    fn label(&self) -> &'static str {
        match self {
            Self::Status(429, _) => "429",
            Self::Status(503, _) => "503",
            Self::Status(..) => "status",
            Self::TimedOut => "timeout",
            Self::Conflict => "conflict",
            Self::Cut(Limit::Attempt) => "attempt timeout",
            Self::Cut(Limit::Deadline) => "deadline",
            Self::Refused(_) => "breaker open",
        }
    }

    fn deadline_exceeded() -> Option<Self> {
        Some(Self::Cut(Limit::Deadline))
    }
}

impl From<AttemptTimeout> for Failure {
    fn from(_: AttemptTimeout) -> Self {
        Self::Cut(Limit::Attempt)
    }
}

impl From<DeadlineExceeded> for Failure {
    fn from(_: DeadlineExceeded) -> Self {
        Self::Cut(Limit::Deadline)
    }
}

impl From<BreakerOpen> for Failure {
    fn from(open: BreakerOpen) -> Self {
        Self::Refused(open)
    }
}
