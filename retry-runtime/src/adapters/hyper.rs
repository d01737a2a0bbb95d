//! Errors of hyper.

use ::hyper::Error;

use super::{Verdict, labelled, transport};
use crate::{Classification, Retryable};

/// Whether the request was written decides, as far as hyper knows.
///
/// | error | class |
/// |---|---|
/// | `is_canceled`, `is_closed`: it never got as far as the connection | transient, not executed |
/// | `is_incomplete_message`: the connection ended without a whole answer | transient, may have executed |
/// | `is_timeout` | timeout |
/// | `is_parse`: the answer is not HTTP | permanent, may have executed |
/// | `is_user`, `is_body_write_aborted`: this side's own fault | permanent, may have executed |
/// | all others | the first error below that has a verdict: of HTTP/2, or an `io::Error` |
///
/// What nothing in the chain of causes explains is permanent.
impl Retryable for Error {
    fn classify(&self) -> Classification {
        verdict(self).0
    }
    fn label(&self) -> &'static str {
        verdict(self).1
    }
}

/// For `classify = stormless::hyper::classify`.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Execution, hyper::classify};
///
/// fn may_have_happened(error: &hyper::Error) -> bool {
///     classify(error).execution() != Execution::NotExecuted
/// }
/// # let _: fn(&hyper::Error) -> bool = may_have_happened;
/// ```
pub fn classify(error: &Error) -> Classification {
    labelled(verdict(error))
}

fn verdict(error: &Error) -> Verdict {
    transport::verdict(error).unwrap_or(UNKNOWN)
}

pub(super) const UNKNOWN: Verdict = (Classification::permanent().maybe_executed(), "_OTHER");

/// What hyper itself knows.
pub(super) fn known(error: &Error) -> Option<Verdict> {
    let unsent = Classification::transient();
    let lost = Classification::transient().maybe_executed();
    let fault = Classification::permanent().maybe_executed();
    Some(if error.is_canceled() {
        (unsent, "canceled")
    } else if error.is_closed() {
        (unsent, "closed")
    } else if error.is_incomplete_message() {
        (lost, "incomplete_message")
    } else if error.is_parse() {
        (fault, "parse")
    } else if error.is_body_write_aborted() {
        (fault, "body_write_aborted")
    } else if error.is_user() {
        (fault, "user")
    } else if transport::ends(error) && error.is_timeout() {
        (Classification::timeout(), "timeout")
    } else {
        return None;
    })
}
