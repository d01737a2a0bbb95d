//! What a SQLSTATE means for a retry.

use std::{error::Error, io};

use deadpool_postgres::PoolError;
use stormless::{Classification, Retryable};
use tokio_postgres::error::SqlState;

/// What went wrong with the database.
#[derive(Debug, thiserror::Error, Retryable)]
pub enum StoreError {
    /// The database, or the way to it, says no.
    #[error("the database: {0}")]
    #[retryable(with = Self::by_state)]
    Database(#[from] tokio_postgres::Error),
    /// No connection was to be had, so nothing was asked of the database.
    #[error("the pool: {0}")]
    #[retryable(with = Self::by_pool)]
    Pool(#[from] PoolError),
    /// Somebody else changed the row in between.
    #[error("account {id} has changed")]
    #[retryable(conflict)]
    Stale {
        /// Which one.
        id: i64,
    },
    /// Somebody else is at it.
    #[error("somebody else has the lock")]
    #[retryable(conflict, attempts = 3)]
    Locked,
    /// There is no such account.
    #[error("no account {id}")]
    #[retryable(permanent, executed)]
    NotFound {
        /// Which one.
        id: i64,
    },
    /// There is not enough on the account.
    #[error("not enough money")]
    #[retryable(permanent, executed)]
    Insufficient,
    /// The settings make no sense.
    #[error("misconfigured")]
    #[retryable(permanent, local)]
    Misconfigured,
    /// One attempt took too long.
    #[error("too slow")]
    #[retryable(attempt_timeout)]
    TooSlow,
    /// The call as a whole took too long.
    #[error("out of time")]
    #[retryable(deadline_exceeded)]
    OutOfTime,
}

impl StoreError {
    /// The code that the database gave, if it said anything.
    #[must_use]
    pub fn state(&self) -> Option<&SqlState> {
        match self {
            Self::Database(error) | Self::Pool(PoolError::Backend(error)) => error.code(),
            _ => None,
        }
    }

    fn by_state(&self) -> Classification {
        match self {
            Self::Database(error) => classify(error),
            _ => Classification::permanent(),
        }
    }

    fn by_pool(&self) -> Classification {
        match self {
            // Every connection is in use: this process's own trouble, which passes.
            Self::Pool(PoolError::Timeout(_)) => Classification::throttled().local(),
            // Whatever went wrong on the way to a connection, no statement was sent over it.
            Self::Pool(PoolError::Backend(error)) => classify(error).not_executed(),
            _ => Classification::permanent().local(),
        }
    }
}

/// The states as of the server's documentation, appendix A.
fn classify(error: &tokio_postgres::Error) -> Classification {
    let Some(state) = error.code() else { return classify_transport(error) };
    match state.code() {
        // Serialization failure and deadlock, rolled back and to be run again as a whole; and what
        // somebody else holds, asked for with `NOWAIT`.
        "40001" | "40P01" | "55P03" => Classification::conflict(),
        // Too many connections, and not yet started.
        "53300" | "57P03" => Classification::throttled(),
        // Cancelled, by `statement_timeout` as a rule: rolled back.
        "57014" => Classification::timeout().not_executed(),
        // Shut down or crashed, perhaps in the middle of a commit.
        "57P01" | "57P02" => Classification::transient().maybe_executed(),
        code if code.starts_with("53") => Classification::throttled(),
        code if code.starts_with("08") => Classification::transient().maybe_executed(),
        _ => Classification::permanent().executed(),
    }
}

/// Errors without a state are the driver's own: a lost connection, or a value of the wrong type.
fn classify_transport(error: &tokio_postgres::Error) -> Classification {
    let io = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    if error.is_closed() || io.is_some() {
        Classification::transient().maybe_executed()
    } else {
        Classification::permanent()
    }
}
