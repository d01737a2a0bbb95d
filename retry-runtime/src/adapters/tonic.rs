//! Adapter for `tonic` 0.14 (feature `tonic-0-14`).
//!
//! [`Status`] is [`Retryable`](crate::Retryable), and can be cut by `deadline`, `attempt_timeout` and `breaker`:
//!
//! ```
//! # use retry_runtime as stormless;
//! use stormless::{Classification, Execution, Kind, Retryable};
//! use tonic::Status;
//!
//! let missing = Status::not_found("no such order");
//! assert!(missing.classify().is_answer());
//! assert_eq!(missing.label(), "NOT_FOUND");
//!
//! let away = Status::unavailable("restarting").classify();
//! assert_eq!((away.kind(), away.execution()), (Kind::Transient, Execution::MaybeExecuted));
//! ```

mod code;
mod cut;
mod hint;

use std::error::Error;

use ::tonic::{Code, ConnectError, Status, TimeoutExpired, metadata::MetadataMap};

use super::{Verdict, causes, http::Fields, hyper, labelled, transport};
use crate::{Classification, DeadlineExceeded, Kind, Retryable};

/// What the server asks for comes first: a `grpc-retry-pushback-ms` in the metadata, then a `RetryInfo` in
/// the details, then the fields in the metadata that [`crate::http`] has in its table. What went wrong below the
/// status decides over its code, because the code of a broken connection depends on the features that tonic is
/// built with. The code decides for what the server said.
///
/// The label is the code's name, such as `UNAVAILABLE`, or that of the cause below it.
impl Retryable for Status {
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

/// Classifies a [`Status`], or any error with one below it, or with a failure of the transport below it,
/// such as `tonic::transport::Error`; others are permanent. For `classify = stormless::tonic::classify`.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Execution, Kind, tonic::classify};
/// use tonic::Status;
///
/// assert_eq!(classify(&Status::aborted("somebody else won")).kind(), Kind::Conflict);
/// assert_eq!(classify(&std::fmt::Error).kind(), Kind::Permanent);
/// ```
pub fn classify<E: Error + 'static>(error: &E) -> Classification {
    search(error).unwrap_or_else(Classification::permanent)
}

/// The same for `classify_result = stormless::tonic::classify_result`, beside an error type that speaks for
/// itself where there is no status below it: `None` for those, and for every `Ok`.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Kind, tonic::classify_result};
/// use tonic::Status;
///
/// let answered: Result<(), _> = Err(Status::unavailable("restarting"));
/// assert!(classify_result(&answered).is_some());
/// let other: Result<(), _> = Err(std::fmt::Error);
/// assert!(classify_result(&other).is_none());
/// ```
pub fn classify_result<T, E: Error + 'static>(result: &Result<T, E>) -> Option<Classification> {
    search(result.as_ref().err()?)
}

/// Classifies what a service of `tower` around a channel sees: a response whose head is already the end of
/// the call, with `grpc-status`, or that of a proxy without one. Of such, 429, 502, 503 and 504 are
/// classified as by [`crate::http`], but may have been executed unless Envoy says that it has not let the call through
/// (`x-envoy-overloaded`, `x-envoy-ratelimited`); others are permanent. `None` for a response that goes on.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Hint, tonic::classify_http};
/// use std::convert::Infallible;
///
/// let busy = http::Response::builder()
///     .header("grpc-status", "14")
///     .header("grpc-retry-pushback-ms", "-1")
///     .body(())?;
/// let class = classify_http(&Ok::<_, Infallible>(busy)).unwrap();
/// assert_eq!(class.hint(), Some(Hint::DoNotRetry));
/// # Ok::<(), http::Error>(())
/// ```
pub fn classify_http<B, E: Error + 'static>(
    result: &Result<::http::Response<B>, E>,
) -> Option<Classification> {
    let response = match result {
        Ok(response) => response,
        Err(error) => return search(error),
    };
    let metadata = MetadataMap::from_headers(response.headers().clone());
    let Some(code) = metadata.get("grpc-status") else {
        let class = crate::http::classify_response(response)?;
        let fields = Fields::of(response.headers());
        // Envoy says that it has not let the request through.
        let class = if fields.limited || fields.overloaded {
            class
        } else {
            by_proxy(response.status().as_u16(), class)
        };
        return Some(hint::of_metadata(&metadata).refine(class));
    };
    let code = Code::from_bytes(code.as_bytes());
    // A value that is not base64 tells nothing.
    let details = metadata.get_bin("grpc-status-details-bin");
    let details = details.and_then(|details| details.to_bytes().ok()).unwrap_or_default();
    let status = Status::with_details_and_metadata(code, "", details, metadata);
    (code != Code::Ok).then(|| labelled(verdict(&status)))
}

/// No more daring than what [`Status::classify`] says of the code that tonic makes of the status: a proxy may say
/// it in place of a server that has done the work.
fn by_proxy(status: u16, class: Classification) -> Classification {
    match (status, class.kind()) {
        // `UNAVAILABLE`
        (429 | 502 | 503 | 504, _) => class.maybe_executed(),
        (_, Kind::Permanent) => class,
        // `UNKNOWN`, `PERMISSION_DENIED`
        _ => Classification::permanent().maybe_executed(),
    }
}

fn search(error: &(dyn Error + 'static)) -> Option<Classification> {
    let status = causes(error).find_map(|cause| cause.downcast_ref::<Status>());
    status.map(verdict).or_else(|| below(error)).map(labelled)
}

fn verdict(status: &Status) -> Verdict {
    let beside = hint::of(status);
    if !transport::ends(status) {
        let (class, label) = hyper::UNKNOWN;
        return (beside.asked.refine(class), label);
    }
    let (class, label) = status.source().and_then(below).unwrap_or_else(|| {
        // Nothing below it, or another status: somebody said it, and it did not break on the way.
        let said = causes(status).last().is_some_and(<dyn Error>::is::<Status>);
        code::verdict(status.code(), said, &beside)
    });
    (beside.asked.refine(class), label)
}

fn below(error: &(dyn Error + 'static)) -> Option<Verdict> {
    causes(error).find_map(known)
}

/// What one error of the chain says.
pub(super) fn known(cause: &(dyn Error + 'static)) -> Option<Verdict> {
    if cause.is::<TimeoutExpired>() {
        // `Endpoint::timeout`, or the `grpc-timeout` of the request: the client's own clock.
        Some((Classification::timeout(), "timeout_expired"))
    } else if let Some(connecting) = cause.downcast_ref::<ConnectError>() {
        let ends = transport::ends(&*connecting.0);
        Some(if ends {
            transport::connecting(transport::verdict(&*connecting.0))
        } else {
            hyper::UNKNOWN
        })
    } else {
        transport::known(cause)
    }
}

#[cfg(test)]
mod tests;
