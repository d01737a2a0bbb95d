//! What the errors below a client's own have to say: sockets, HTTP and HTTP/2.

use std::{error::Error, iter::successors};

use super::{MAX_CAUSES, Verdict, by_type, causes, h2, hyper, io};
use crate::{Classification, Kind};

/// The verdict of the first error in the chain that has one, from the top.
pub(super) fn verdict(error: &(dyn Error + 'static)) -> Option<Verdict> {
    causes(error).find_map(known)
}

/// The verdict of one error, whatever is below it.
pub(super) fn known(error: &(dyn Error + 'static)) -> Option<Verdict> {
    if let Some(error) = error.downcast_ref::<::hyper::Error>() {
        hyper::known(error)
    } else if let Some(error) = error.downcast_ref::<::h2::Error>() {
        Some(h2::verdict(error))
    } else if error.is::<std::io::Error>() {
        io::known(error).map(io::on_a_connection)
    } else {
        by_type(error)
    }
}

/// The verdict on a connection that could not be made, from the verdict on what is below it. Nothing was
/// sent, whatever that is.
pub(super) fn connecting(below: Option<Verdict>) -> Verdict {
    match below {
        Some((class, _)) if class.kind() == Kind::Timeout => {
            (class.not_executed(), "connect_timeout")
        }
        // A socket's file comes with its server, and servers start late. No verdict is a name that does
        // not resolve.
        Some((_, "not_found")) | None => (Classification::transient(), "connect"),
        Some((class, label)) => (class.not_executed(), label),
    }
}

/// Whether the chain ends. What does not is no real failure, whatever its top says of itself; and the methods
/// of these crates that look for a cause follow it as far as it goes.
pub(super) fn ends(error: &(dyn Error + 'static)) -> bool {
    successors(Some(error), |&error| error.source()).nth(MAX_CAUSES).is_none()
}
