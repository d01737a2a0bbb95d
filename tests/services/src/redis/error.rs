//! What an error of the cache means for a retry.

use redis::{ErrorKind, RedisError, ServerErrorKind};
use stormless::{Classification, Retryable};

/// What went wrong with the cache.
#[derive(Debug, thiserror::Error, Retryable)]
pub enum CacheError {
    /// The server, or the way to it, says no.
    #[error("the cache: {0}")]
    #[retryable(with = Self::by_kind)]
    Redis(#[from] RedisError),
    /// Somebody else has the lock.
    #[error("somebody else has the lock")]
    #[retryable(conflict)]
    Held,
    /// The lock had run out before it was given back.
    #[error("the lock was lost")]
    #[retryable(permanent, executed)]
    Lost,
    /// One attempt took too long.
    #[error("too slow")]
    #[retryable(attempt_timeout)]
    TooSlow,
    /// The call as a whole took too long.
    #[error("out of time")]
    #[retryable(deadline_exceeded)]
    OutOfTime,
}

impl CacheError {
    fn by_kind(&self) -> Classification {
        let Self::Redis(error) = self else { return Classification::permanent() };
        if error.is_connection_refusal() {
            return Classification::transient();
        }
        if error.is_timeout() {
            return Classification::timeout();
        }
        match error.kind() {
            ErrorKind::Io => Classification::transient().maybe_executed(),
            ErrorKind::Server(
                ServerErrorKind::BusyLoading
                | ServerErrorKind::TryAgain
                | ServerErrorKind::ClusterDown
                | ServerErrorKind::MasterDown,
            ) => Classification::transient(),
            // Known to the driver by no name of its own.
            ErrorKind::Extension if error.code() == Some("OOM") => Classification::throttled(),
            ErrorKind::Server(_) | ErrorKind::Extension => Classification::permanent().executed(),
            _ => Classification::permanent(),
        }
    }
}
