//! Classifications of error types that are not ours, one file for each crate they come from.

#[cfg(feature = "http-1")]
mod http;
mod io;
mod mysql;
#[cfg(feature = "redis-1")]
pub mod redis;
mod sqlite;
mod sqlstate;
#[cfg(feature = "sqlx-0-9")]
pub mod sqlx;
mod tokio;
#[cfg(feature = "tokio-postgres-0-7")]
pub mod tokio_postgres;

/// What databases say, for drivers that stormless has no adapter for.
pub mod sql {
    pub use super::mysql::{classify_mysql, mysql_label};
    pub use super::sqlite::{classify_sqlite, sqlite_label};
    pub use super::sqlstate::{classify_sqlstate, sqlstate_label};
}

use std::error::Error;
use std::iter::successors;

use crate::{AttemptTimeout, BreakerOpen, Classification, Cut, DeadlineExceeded, Retryable};

/// What an adapter has to say about one error: its class and its label.
type Verdict = (Classification, &'static str);

/// How many errors of a chain are looked at. Real chains are shorter; the bound is for an error
/// that names itself as its source.
const MAX_CAUSES: usize = 32;

/// An error, the one below it, and so on, [`MAX_CAUSES`] at most.
///
/// What an `io::Error` wraps is part of the chain, although `source` leaves it out.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    successors(Some(error), |&error| {
        match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
            Some(wrapped) => Some(wrapped),
            None => error.source(),
        }
    })
    .take(MAX_CAUSES)
}

/// The verdict on an error that is known by its type: a cut of ours, or a timeout of tokio's.
fn by_type(error: &(dyn Error + 'static)) -> Option<Verdict> {
    is::<AttemptTimeout>(error)
        .or_else(|| is::<DeadlineExceeded>(error))
        .or_else(|| is::<BreakerOpen>(error))
        .or_else(|| is::<Cut>(error))
        .or_else(|| is::<::tokio::time::error::Elapsed>(error))
}

fn is<E: Error + Retryable + 'static>(error: &(dyn Error + 'static)) -> Option<Verdict> {
    error.downcast_ref::<E>().map(|error| (error.classify(), error.label()))
}
