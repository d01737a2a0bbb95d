//! What the errors below a client's own have to say: sockets, HTTP and HTTP/2.

use std::{error::Error, iter::successors};

use super::{MAX_CAUSES, Verdict, by_type, causes, h2, hyper, io};

/// The verdict of the first error in the chain that has one, from the top.
pub(super) fn verdict(error: &(dyn Error + 'static)) -> Option<Verdict> {
    causes(error).find_map(known)
}

fn known(error: &(dyn Error + 'static)) -> Option<Verdict> {
    if let Some(error) = error.downcast_ref::<::hyper::Error>() {
        hyper::known(error)
    } else if let Some(error) = error.downcast_ref::<::h2::Error>() {
        Some(h2::verdict(error))
    } else if error.is::<std::io::Error>() {
        io::known(error)
    } else {
        by_type(error)
    }
}

/// Whether the chain ends. The methods of these crates that look for a cause follow it as far as it goes.
pub(super) fn ends(error: &(dyn Error + 'static)) -> bool {
    successors(Some(error), |&error| error.source()).nth(MAX_CAUSES).is_none()
}
