//! What lies below the errors of clients that speak HTTP: a connection, or an end of one.

use std::error::Error;

use super::{Verdict, by_type, io};
use crate::{Classification, Kind};

/// The verdict on one error of a chain, if it says what went wrong on the way to the server or back.
pub(super) fn known(error: &(dyn Error + 'static)) -> Option<Verdict> {
    by_type(error)
        .or_else(|| by_hyper(error.downcast_ref()?))
        .or_else(|| by_h2(error.downcast_ref()?))
        .or_else(|| io::known(error))
}

/// A failure to connect, of which the errors below say more. Nothing was sent, whatever they say.
pub(super) fn connecting(below: Option<Verdict>) -> Verdict {
    match below {
        // A socket's file that is not there yet, a name that is not known yet: servers start late.
        None => (Classification::transient(), "connect"),
        Some((class, label)) => match class.kind() {
            Kind::Permanent => (Classification::transient(), "connect"),
            Kind::Timeout => (class.not_executed(), "connect_timeout"),
            _ => (class.not_executed(), label),
        },
    }
}

fn by_hyper(error: &hyper::Error) -> Option<Verdict> {
    let (unsent, lost) = (Classification::transient(), Classification::transient().maybe_executed());
    if error.is_canceled() {
        // The connection was gone before the request's turn came.
        Some((unsent, "canceled"))
    } else if error.is_closed() {
        Some((unsent, "closed"))
    } else if error.is_incomplete_message() {
        Some((lost, "incomplete_message"))
    } else if error.is_timeout() {
        Some((Classification::timeout(), "timed_out"))
    } else if error.is_parse() {
        Some((Classification::permanent().maybe_executed(), "unparsable"))
    } else {
        None
    }
}

/// Sources: RFC 9113 §7 (codes), §8.7 (what has certainly not been processed).
fn by_h2(error: &h2::Error) -> Option<Verdict> {
    use h2::Reason as R;

    if let Some(error) = error.get_io() {
        return io::known(error);
    }
    let (unsent, lost) = (Classification::transient(), Classification::transient().maybe_executed());
    Some(match error.reason()? {
        R::REFUSED_STREAM => (unsent, "REFUSED_STREAM"),
        // Only streams above the last one that the server takes are told so.
        R::NO_ERROR if error.is_go_away() && error.is_remote() => (unsent, "GOAWAY"),
        R::NO_ERROR => (lost, "NO_ERROR"),
        R::ENHANCE_YOUR_CALM => {
            (Classification::throttled().maybe_executed(), "ENHANCE_YOUR_CALM")
        }
        R::CANCEL => (lost, "CANCEL"),
        R::INTERNAL_ERROR => (lost, "INTERNAL_ERROR"),
        R::HTTP_1_1_REQUIRED => (Classification::permanent(), "HTTP_1_1_REQUIRED"),
        // Said here, of what cannot be read.
        _ if error.is_library() => (Classification::permanent().maybe_executed(), "unparsable"),
        _ => (lost, "reset"),
    })
}
