//! Errors that may be of any kind: boxed ones, and what middlewares wrap.

use std::error::Error;

use super::{Verdict, by_type, causes, io, is};
use crate::Classification;

/// The verdict of the first error in the chain that has one, from the top.
pub(super) fn verdict(error: &(dyn Error + 'static)) -> Verdict {
    let unknown = (Classification::permanent().maybe_executed(), "_OTHER");
    causes(error).find_map(known).unwrap_or(unknown)
}

/// By its type, if that is known.
fn known(error: &(dyn Error + 'static)) -> Option<Verdict> {
    by_type(error).or_else(|| client(error)).or_else(|| io::known(error))
}

/// Errors of the crates that there are features for.
fn client(error: &(dyn Error + 'static)) -> Option<Verdict> {
    let none: Option<Verdict> = is::<::tower::timeout::error::Elapsed>(error)
        .or_else(|| is::<::tower::load_shed::error::Overloaded>(error));
    #[cfg(feature = "reqwest-middleware-0-5")]
    let none = none
        .or_else(|| is::<::reqwest_middleware::Error>(error))
        .or_else(|| is::<crate::RetryError<::reqwest_middleware::Error>>(error));
    #[cfg(feature = "reqwest-0-13")]
    let none = none
        .or_else(|| is::<::reqwest::Error>(error))
        .or_else(|| is::<crate::RetryError<::reqwest::Error>>(error));
    #[cfg(feature = "hyper-1")]
    let none = none
        .or_else(|| is::<::hyper_util::client::legacy::Error>(error))
        .or_else(|| error.downcast_ref().and_then(super::hyper::known));
    #[cfg(feature = "h2-0-4")]
    let none = none.or_else(|| error.downcast_ref().map(super::h2::verdict));
    none
}
