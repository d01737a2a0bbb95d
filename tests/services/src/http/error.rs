//! What can go wrong with a request, and what each failure means for a retry.

use std::{error::Error, time::Duration};

use reqwest::StatusCode;
use stormless::{Classification, Retryable};

/// A request that failed.
#[derive(Debug, thiserror::Error, Retryable)]
pub enum ApiError {
    /// The server answered, but not with success.
    #[error("the server answered {status}")]
    #[retryable(status = status, retry_after = wait)]
    Refused {
        /// What it answered.
        status: StatusCode,
        /// How long it asks to be left alone.
        wait: Option<Duration>,
    },
    /// There was no answer, or no whole one.
    #[error("no answer")]
    #[retryable(with = Self::transport)]
    Transport(#[from] reqwest::Error),
    /// The answer was shorter than the server had announced.
    #[error("{got} bytes instead of {announced}")]
    #[retryable(transient)]
    Incomplete {
        /// What arrived.
        got: u64,
        /// What should have.
        announced: u64,
    },
    /// The answer is not what the API promises.
    #[error("the answer makes no sense")]
    #[retryable(permanent, executed)]
    NotUnderstood,
    /// The credentials were refused.
    #[error("not authorized")]
    #[retryable(permanent, executed)]
    Unauthorized,
    /// One attempt took too long.
    #[error("too slow")]
    #[retryable(attempt_timeout)]
    TooSlow,
    /// The call as a whole took too long.
    #[error("out of time")]
    #[retryable(deadline_exceeded)]
    OutOfTime,
}

impl ApiError {
    fn transport(&self) -> Classification {
        match self {
            Self::Transport(error) => classify(error),
            _ => Classification::permanent(),
        }
    }
}

fn classify(error: &reqwest::Error) -> Classification {
    if error.is_connect() {
        // Asked before the timeouts: one while connecting is of a request that was never sent.
        Classification::transient()
    } else if error.is_timeout() {
        Classification::timeout()
    } else if error.is_request() || error.is_body() || lost(error) {
        Classification::transient().maybe_executed()
    } else {
        Classification::permanent()
    }
}

/// A body that was cut short looks like one that cannot be decoded, but for the cause.
fn lost(error: &reqwest::Error) -> bool {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.take(16).any(<dyn Error>::is::<std::io::Error>)
}
