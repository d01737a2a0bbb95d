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
            ErrorKind::Server(kind) if passes(kind) => Classification::transient(),
            // Nothing of the transaction was carried out, for reasons that may pass.
            ErrorKind::Server(ServerErrorKind::ExecAbort) if all_pass(error) => {
                Classification::transient()
            }
            // Known to the driver by no name of its own.
            ErrorKind::Extension if error.code() == Some("OOM") => Classification::throttled(),
            ErrorKind::Server(_) | ErrorKind::Extension => Classification::permanent().executed(),
            _ => Classification::permanent(),
        }
    }
}

/// Refusals that are about the server's own state rather than about the command.
fn passes(kind: ServerErrorKind) -> bool {
    use ServerErrorKind::{BusyLoading, ClusterDown, MasterDown, TryAgain};
    matches!(kind, BusyLoading | TryAgain | ClusterDown | MasterDown)
}

fn all_pass(aborted: &RedisError) -> bool {
    let causes = aborted.clone().into_server_errors();
    causes.is_some_and(|causes| causes.iter().all(|(_, cause)| cause.kind().is_some_and(passes)))
}
