//! Why a call stopped.

/// Why no further attempt followed a failure.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, StopReason};
/// use std::io;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let lost = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionReset));
/// // The request may have arrived, and nobody has said that a repeat is harmless.
/// let error = Policy::new().run(lost).explain().await.unwrap_err();
/// assert_eq!(error.reason(), StopReason::MaybeExecuted);
/// assert_eq!(error.reason().label(), "maybe_executed");
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// The failure is one that a repeat cannot help.
    Permanent,
    /// The operation may have been carried out and the site does not say `idempotent`.
    MaybeExecuted,
    /// `attempts`, or the failure's own cap, is used up.
    AttemptsExhausted,
    /// The deadline passed during an attempt, or before the first one.
    DeadlineExceeded,
    /// The next attempt would not have started with enough time before the deadline.
    DeadlineTooClose,
    /// The server asked for a longer wait than `max_retry_after`.
    RetryAfterTooLong,
    /// The server asked not to be called again with this request.
    ServerRefusedRetry,
    /// The budget has no retry left.
    BudgetExhausted,
    /// The breaker is open, or the budget shed the call before its first attempt.
    BreakerOpen,
    /// The call ran inside another call's attempt, which does the retrying.
    Nested,
    /// Retries are switched off.
    Disabled,
    /// The work was stopped: its future was dropped, or its error says so.
    Cancelled,
    /// The call's own `adjust` said that no retry is to follow.
    Declined,
    /// What is to be done cannot be done twice, such as a request whose body cannot be cloned.
    Unrepeatable,
}

impl StopReason {
    /// Every reason, in the order in which tables show them.
    pub const ALL: &'static [Self] = &[
        Self::Permanent,
        Self::MaybeExecuted,
        Self::AttemptsExhausted,
        Self::DeadlineExceeded,
        Self::DeadlineTooClose,
        Self::RetryAfterTooLong,
        Self::ServerRefusedRetry,
        Self::BudgetExhausted,
        Self::BreakerOpen,
        Self::Nested,
        Self::Disabled,
        Self::Cancelled,
        Self::Declined,
        Self::Unrepeatable,
    ];

    /// The reason as a metric label, such as `budget_exhausted`.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Permanent => "permanent",
            Self::MaybeExecuted => "maybe_executed",
            Self::AttemptsExhausted => "attempts_exhausted",
            Self::DeadlineExceeded => "deadline_exceeded",
            Self::DeadlineTooClose => "deadline_too_close",
            Self::RetryAfterTooLong => "retry_after_too_long",
            Self::ServerRefusedRetry => "server_refused_retry",
            Self::BudgetExhausted => "budget_exhausted",
            Self::BreakerOpen => "breaker_open",
            Self::Nested => "nested",
            Self::Disabled => "disabled",
            Self::Cancelled => "cancelled",
            Self::Declined => "declined",
            Self::Unrepeatable => "unrepeatable",
        }
    }
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Permanent => "a repeat cannot help",
            Self::MaybeExecuted => {
                "it may have been carried out, and the function is not `idempotent`"
            }
            Self::AttemptsExhausted => "no attempts left",
            Self::DeadlineExceeded => "the deadline passed",
            Self::DeadlineTooClose => "the next attempt would start too close to the deadline",
            Self::RetryAfterTooLong => "the server asked for a longer wait than `max_retry_after`",
            Self::ServerRefusedRetry => "the server asked for no retry",
            Self::BudgetExhausted => "the retry budget is empty",
            Self::BreakerOpen => "the breaker is open",
            Self::Nested => "the enclosing call does the retrying",
            Self::Disabled => "retries are switched off",
            Self::Cancelled => "the work was cancelled",
            Self::Declined => "`adjust` asked for no retry",
            Self::Unrepeatable => "it cannot be done twice",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::StopReason;

    #[test]
    fn the_list_has_each_reason_at_its_own_number() {
        for (number, reason) in StopReason::ALL.iter().enumerate() {
            assert_eq!(*reason as usize, number, "{reason:?}");
        }
        // The last one, so that none is missing.
        assert_eq!(StopReason::ALL.last(), Some(&StopReason::Unrepeatable));
    }
}
