//! Classifications of error types that are not ours, one file for each crate they come from.

#[cfg(feature = "tower-0-5")]
mod any;
#[cfg(feature = "aws-smithy-1")]
pub mod aws;
#[cfg(feature = "h2-0-4")]
pub mod h2;
#[cfg(feature = "http-1")]
pub mod http;
#[cfg(feature = "hyper-1")]
pub mod hyper;
#[cfg(feature = "hyper-1")]
pub mod hyper_util;
mod io;
mod mysql;
#[cfg(feature = "recoverable-0-3")]
pub mod recoverable;
#[cfg(feature = "redis-1")]
pub mod redis;
#[cfg(feature = "reqwest-0-13")]
pub(crate) mod reqwest;
#[cfg(feature = "reqwest-middleware-0-5")]
pub mod reqwest_middleware;
mod sqlite;
mod sqlstate;
#[cfg(feature = "sqlx-0-9")]
pub mod sqlx;
#[cfg(feature = "tokio-1")]
mod tokio;
#[cfg(feature = "tokio-postgres-0-7")]
pub mod tokio_postgres;
#[cfg(feature = "tonic-0-14")]
pub(crate) mod tonic;
#[cfg(feature = "tower-0-5")]
pub(crate) mod tower;
#[cfg(feature = "hyper-1")]
mod transport;
#[cfg(test)]
mod unreachable;

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

/// A verdict in one piece, for the functions that `classify` names: what they say has no
/// `Retryable::label` beside it.
const fn labelled((class, label): Verdict) -> Classification {
    class.label(label)
}

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
    let verdict = is::<AttemptTimeout>(error)
        .or_else(|| is::<DeadlineExceeded>(error))
        .or_else(|| is::<BreakerOpen>(error))
        .or_else(|| is::<Cut>(error));
    #[cfg(feature = "tokio-1")]
    let verdict = verdict.or_else(|| tokio::by_type(error));
    verdict
}

fn is<E: Error + Retryable + 'static>(error: &(dyn Error + 'static)) -> Option<Verdict> {
    error.downcast_ref::<E>().map(|error| (error.classify(), error.label()))
}
