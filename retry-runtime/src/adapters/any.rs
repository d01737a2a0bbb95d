//! Errors that may be of any kind: boxed ones, and what middlewares wrap.

use std::error::Error;

use super::{Verdict, by_type, causes, is};
use crate::Classification;
#[cfg(feature = "reqwest-0-13")]
use crate::RetryError;

// What clients stand on.
#[cfg(feature = "tonic-0-14")]
use super::tonic::known as below;
#[cfg(all(feature = "hyper-1", not(feature = "tonic-0-14")))]
use super::transport::known as below;

/// The verdict of the first error in the chain that has one, from the top.
pub(super) fn verdict(error: &(dyn Error + 'static)) -> Verdict {
    let unknown = (Classification::permanent().maybe_executed(), "_OTHER");
    causes(error).find_map(known).unwrap_or(unknown)
}

/// By its type, if that is known.
fn known(error: &(dyn Error + 'static)) -> Option<Verdict> {
    by_type(error).or_else(|| client(error)).or_else(|| below(error))
}

/// Errors of the clients and middlewares that there are features for.
fn client(error: &(dyn Error + 'static)) -> Option<Verdict> {
    let found = is::<::tower::timeout::error::Elapsed>(error)
        .or_else(|| is::<::tower::load_shed::error::Overloaded>(error));
    #[cfg(feature = "reqwest-middleware-0-5")]
    let found = found
        .or_else(|| is::<::reqwest_middleware::Error>(error))
        .or_else(|| is::<RetryError<::reqwest_middleware::Error>>(error));
    #[cfg(feature = "reqwest-0-13")]
    let found = found
        .or_else(|| is::<::reqwest::Error>(error))
        .or_else(|| is::<RetryError<::reqwest::Error>>(error));
    #[cfg(feature = "hyper-1")]
    let found = found.or_else(|| is::<::hyper_util::client::legacy::Error>(error));
    #[cfg(feature = "tonic-0-14")]
    let found = found.or_else(|| is::<::tonic::Status>(error));
    #[cfg(feature = "sqlx-0-9")]
    let found = found.or_else(|| is::<::sqlx::Error>(error));
    #[cfg(feature = "tokio-postgres-0-7")]
    let found = found.or_else(|| is::<::tokio_postgres::Error>(error));
    #[cfg(feature = "redis-1")]
    let found = found.or_else(|| is::<::redis::RedisError>(error));
    found
}

/// No client that is known here has said that it was connecting.
#[cfg(not(feature = "hyper-1"))]
fn below(error: &(dyn Error + 'static)) -> Option<Verdict> {
    #[cfg(feature = "h2-0-4")]
    if let Some(error) = error.downcast_ref::<::h2::Error>() {
        return Some(super::h2::verdict(error));
    }
    super::io::known(error).map(super::io::on_a_connection)
}
