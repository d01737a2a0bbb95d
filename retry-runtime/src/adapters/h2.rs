//! Errors of HTTP/2, from the crate `h2`, which hyper, reqwest and tonic speak it with.

use ::h2::{Error, Reason};

use super::{Verdict, io, labelled};
use crate::{Classification, Retryable};

/// What the peer's code says, and who sent it.
///
/// A stream that the peer refused (`REFUSED_STREAM`), or that came after the last one which its `GOAWAY`
/// counts, was not looked at ([RFC 9113, section 8.7]): not executed. Any other reset or lost connection says
/// nothing about how far the request had got. `ENHANCE_YOUR_CALM` is throttled; `CANCEL`, `INTERNAL_ERROR`,
/// `NO_ERROR`, `CONNECT_ERROR` and `SETTINGS_TIMEOUT` are transient; an I/O error is what it is on a
/// connection that stands: `HostUnreachable` and the like may have been executed. Everything else is a fault of
/// one side's, which a repeat meets again: permanent.
///
/// [RFC 9113, section 8.7]: https://www.rfc-editor.org/rfc/rfc9113#section-8.7
impl Retryable for Error {
    fn classify(&self) -> Classification {
        verdict(self).0
    }
    fn label(&self) -> &'static str {
        verdict(self).1
    }
}

/// For `classify = stormless::h2::classify`.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Execution, Kind, h2::classify};
///
/// let calm = classify(&h2::Error::from(h2::Reason::ENHANCE_YOUR_CALM));
/// assert_eq!((calm.kind(), calm.execution()), (Kind::Throttled, Execution::MaybeExecuted));
/// ```
pub fn classify(error: &Error) -> Classification {
    labelled(verdict(error))
}

pub(super) fn verdict(error: &Error) -> Verdict {
    if let Some(error) = error.get_io() {
        return io::on_a_connection((error.classify(), error.label()));
    }
    let Some(reason) = error.reason() else {
        return (Classification::permanent().maybe_executed(), "h2_misused");
    };
    let (class, label) = by_reason(reason);
    let untouched = error.is_go_away() || error.is_reset() && reason == Reason::REFUSED_STREAM;
    if untouched && error.is_remote() { (class.not_executed(), label) } else { (class, label) }
}

/// Whoever sent it.
fn by_reason(reason: Reason) -> Verdict {
    let passing = Classification::transient().maybe_executed();
    let calm = Classification::throttled().maybe_executed();
    let fault = Classification::permanent().maybe_executed();
    match reason {
        Reason::NO_ERROR => (passing, "h2_no_error"),
        Reason::INTERNAL_ERROR => (passing, "h2_internal_error"),
        Reason::SETTINGS_TIMEOUT => (passing, "h2_settings_timeout"),
        Reason::REFUSED_STREAM => (passing, "h2_refused_stream"),
        Reason::CANCEL => (passing, "h2_cancel"),
        Reason::CONNECT_ERROR => (passing, "h2_connect_error"),
        Reason::ENHANCE_YOUR_CALM => (calm, "h2_enhance_your_calm"),
        Reason::PROTOCOL_ERROR => (fault, "h2_protocol_error"),
        Reason::FLOW_CONTROL_ERROR => (fault, "h2_flow_control_error"),
        Reason::STREAM_CLOSED => (fault, "h2_stream_closed"),
        Reason::FRAME_SIZE_ERROR => (fault, "h2_frame_size_error"),
        Reason::COMPRESSION_ERROR => (fault, "h2_compression_error"),
        Reason::INADEQUATE_SECURITY => (fault, "h2_inadequate_security"),
        Reason::HTTP_1_1_REQUIRED => (fault, "h2_http_1_1_required"),
        _ => (fault, "h2_unknown"),
    }
}
