//! `sqlx::Error`, whatever the database.

use std::error::Error as StdError;
use std::io;

use ::sqlx::{Error, error::DatabaseError};

use super::{Verdict, causes, io::on_a_connection, labelled, sqlite, sqlstate};
use crate::{AttemptTimeout, BreakerOpen, Classification, DeadlineExceeded, Retryable};

/// What an error of sqlx means for a retry, for `classify = stormless::sqlx::classify`. The same as
/// `#[retryable(forward)]` and plain `?` into an error that is `Retryable` come to.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Kind, sqlx::classify};
///
/// let exhausted = classify(&sqlx::Error::PoolTimedOut);
/// assert_eq!(exhausted.kind(), Kind::Throttled);
/// assert!(exhausted.is_local());
/// ```
pub fn classify(error: &Error) -> Classification {
    labelled(verdict(error))
}

/// What a database says decides by its code: a SQLSTATE, or SQLite's result code; with the feature
/// `sqlx-0-9-mysql` by MySQL's number. A lost connection decides as [`std::io::Error`] does, but a host or
/// network that cannot be reached may have been reached before: the error does not say whether it is one of
/// connecting.
///
/// A pool that has no connection in time is this process's own failure, although it may be because the database
/// does not answer: the pool keeps that to itself.
impl Retryable for Error {
    fn classify(&self) -> Classification {
        verdict(self).0
    }
    fn label(&self) -> &'static str {
        verdict(self).1
    }
    fn deadline_exceeded() -> Option<Self> {
        Some(DeadlineExceeded::new().into())
    }
}

/// As an [`Io`](Error::Io) that wraps it.
impl From<AttemptTimeout> for Error {
    fn from(cut: AttemptTimeout) -> Self {
        Self::Io(cut.into())
    }
}

/// As an [`Io`](Error::Io) that wraps it.
impl From<DeadlineExceeded> for Error {
    fn from(cut: DeadlineExceeded) -> Self {
        Self::Io(cut.into())
    }
}

/// As an [`Io`](Error::Io) that wraps it.
impl From<BreakerOpen> for Error {
    fn from(cut: BreakerOpen) -> Self {
        Self::Io(cut.into())
    }
}

fn verdict(error: &Error) -> Verdict {
    // Found in this process, and before anything is sent.
    let mistake = Classification::permanent().local();
    // Found in what the database had answered.
    let answered = Classification::permanent().executed();
    match error {
        Error::Database(error) => by_database(error.as_ref()),
        Error::Io(error) => by_io(error),
        Error::PoolTimedOut => (Classification::throttled().local(), "pool_timed_out"),
        Error::PoolClosed => (mistake, "pool_closed"),
        Error::WorkerCrashed => (mistake.maybe_executed(), "worker_crashed"),
        // No handshake, no statement.
        Error::Tls(error) => (by_cause(error.as_ref()).0.not_executed(), "tls"),
        Error::Protocol(_) => (Classification::permanent().maybe_executed(), "protocol"),
        Error::BeginFailed => (Classification::permanent(), "begin_failed"),
        Error::RowNotFound => (answered, "row_not_found"),
        Error::TypeNotFound { .. } => (answered, "type_not_found"),
        Error::ColumnNotFound(_) => (answered, "column_not_found"),
        Error::ColumnIndexOutOfBounds { .. } => (answered, "column_index_out_of_bounds"),
        Error::ColumnDecode { .. } => (answered, "column_decode"),
        Error::Decode(_) => (answered, "decode"),
        Error::Encode(_) => (mistake, "encode"),
        Error::Configuration(_) => (mistake, "configuration"),
        Error::InvalidArgument(_) => (mistake, "invalid_argument"),
        Error::InvalidSavePointStatement => (mistake, "invalid_save_point_statement"),
        // A migration that failed, for one, has an error of sqlx's below it.
        _ => error.source().map_or((mistake, "_OTHER"), by_cause),
    }
}

fn by_cause(error: &(dyn StdError + 'static)) -> Verdict {
    let known = causes(error).find_map(|cause| {
        // One level only, so that no error can make this recurse.
        match cause.downcast_ref::<Error>() {
            Some(Error::Database(error)) => Some(by_database(error.as_ref())),
            Some(Error::Io(error)) => Some(by_io(error)),
            _ => cause.downcast_ref::<io::Error>().map(by_io),
        }
    });
    known.unwrap_or((Classification::permanent().local(), "_OTHER"))
}

fn by_io(error: &io::Error) -> Verdict {
    // Only connecting can miss a file, which is the server's socket: it is not up.
    if error.kind() == io::ErrorKind::NotFound {
        return (Classification::transient(), "not_found");
    }
    on_a_connection((error.classify(), error.label()))
}

fn by_database(error: &(dyn DatabaseError + 'static)) -> Verdict {
    #[cfg(feature = "sqlx-0-9-mysql")]
    {
        let error = error.try_downcast_ref::<::sqlx::mysql::MySqlDatabaseError>();
        if let Some(verdict) = error.and_then(|error| super::mysql::verdict(error.number())) {
            return verdict;
        }
    }
    let Some(code) = error.code() else {
        return (Classification::permanent().executed(), "_OTHER");
    };
    // A SQLSTATE has five characters, and no result code of SQLite has more than four digits.
    match code.parse() {
        Ok(result) if code.len() < 5 => sqlite::verdict(result),
        _ => sqlstate::verdict(&code),
    }
}
