//! Adapter for the AWS SDK and other clients that Smithy generates (feature `aws-smithy-1`).
//!
//! [`SdkError`] is [`Retryable`](crate::Retryable) for every operation, and can be cut by `deadline`,
//! `attempt_timeout` and `breaker`. The SDK retries by itself, three attempts by default, which an attribute
//! around it multiplies: give the client a configuration that is [`unretried`].

mod codes;
mod cut;

use std::{error::Error, time::Duration};

use ::http::{HeaderMap, HeaderValue, header};
use aws_smithy_runtime_api::client::{
    orchestrator::HttpResponse,
    result::{DispatchFailure, SdkError},
};
use aws_smithy_types::retry::{ErrorKind, ProvideErrorKind, RetryConfig};
use aws_types::SdkConfig;

use super::{Verdict, by_type, causes, http, hyper, labelled, transport};
use crate::{Classification, DeadlineExceeded, Kind, Retryable};

/// An error that the service sent is classified by its code, then by what the service's model says of it,
/// then by the HTTP status. `x-amz-retry-after` and `Retry-After` are hints, and the longer one counts. Where no
/// whole answer came, the errors below decide, and what the connector says about itself if they do not.
///
/// The label is the error's code if it is a well-known one, or says how the call failed.
impl<E: ProvideErrorKind + Error + 'static> Retryable for SdkError<E, HttpResponse> {
    fn classify(&self) -> Classification {
        let (class, _) = verdict(self);
        match (class.kind(), self.raw_response().and_then(retry_after)) {
            (Kind::Permanent | Kind::Cancelled, _) | (_, None) => class,
            (_, Some(wait)) => class.retry_after(wait),
        }
    }
    fn label(&self) -> &'static str {
        verdict(self).1
    }
    fn deadline_exceeded() -> Option<Self> {
        Some(DeadlineExceeded::new().into())
    }
}

/// Classifies what an operation of the SDK returned. For `classify = stormless::aws::classify`.
///
/// ```
/// # use retry_runtime as stormless;
/// use aws_smithy_runtime_api::client::{orchestrator::HttpResponse, result::SdkError};
/// use aws_smithy_types::error::ErrorMetadata;
/// use stormless::{Kind, aws::classify};
///
/// let slow: SdkError<ErrorMetadata, HttpResponse> = SdkError::timeout_error("no answer");
/// assert_eq!(classify(&slow).kind(), Kind::Timeout);
/// ```
pub fn classify<E: ProvideErrorKind + Error + 'static>(
    error: &SdkError<E, HttpResponse>,
) -> Classification {
    labelled((error.classify(), error.label()))
}

/// The same for `classify_result = stormless::aws::classify_result`; `None` for `Ok`.
///
/// ```
/// # use retry_runtime as stormless;
/// use aws_smithy_runtime_api::client::{orchestrator::HttpResponse, result::SdkError};
/// use aws_smithy_types::error::ErrorMetadata;
/// use stormless::{Kind, aws::classify_result};
///
/// let slow: Result<(), SdkError<ErrorMetadata, HttpResponse>> =
///     Err(SdkError::timeout_error("no answer"));
/// assert_eq!(classify_result(&slow).unwrap().kind(), Kind::Timeout);
/// assert_eq!(classify_result::<_, ErrorMetadata>(&Ok("an object")), None);
/// ```
pub fn classify_result<T, E: ProvideErrorKind + Error + 'static>(
    result: &Result<T, SdkError<E, HttpResponse>>,
) -> Option<Classification> {
    result.as_ref().err().map(classify)
}

/// The configuration without the SDK's own retries, for all clients that are made of it:
/// `Client::new(&stormless::aws::unretried(config))`.
///
/// For the configuration of one service, `.retry_config(RetryConfig::disabled())` on its builder is the same.
///
/// ```
/// # use retry_runtime as stormless;
/// use aws_types::SdkConfig;
///
/// let config = stormless::aws::unretried(SdkConfig::builder().build());
/// assert_eq!(config.retry_config().map(|own| own.max_attempts()), Some(1));
/// ```
#[must_use]
pub fn unretried(config: SdkConfig) -> SdkConfig {
    config.into_builder().retry_config(RetryConfig::disabled()).build()
}

/// What the fields ask for outright, read as in [`crate::http`].
fn retry_after(response: &HttpResponse) -> Option<Duration> {
    let mut fields = HeaderMap::new();
    for name in [header::RETRY_AFTER, header::DATE, http::AMAZON] {
        for value in response.headers().get_all(name.as_str()) {
            // A value that is none of HTTP's asks for nothing.
            HeaderValue::from_str(value).map(|value| fields.append(name.clone(), value)).ok();
        }
    }
    http::outright(&fields)
}

fn verdict<E: ProvideErrorKind + Error + 'static>(error: &SdkError<E, HttpResponse>) -> Verdict {
    match error {
        SdkError::ServiceError(said) => by_service(said.err(), said.raw().status().as_u16()),
        SdkError::ResponseError(unread) => {
            let status = unread.raw().status().as_u16();
            // What cannot be read may be the page of a proxy; its status says more.
            let class = match Classification::from_status(status) {
                class if class.kind() == Kind::Permanent => {
                    Classification::transient().maybe_executed()
                }
                class => class,
            };
            (class, "response")
        }
        SdkError::DispatchFailure(failure) => by_dispatch(failure),
        SdkError::TimeoutError(_) if !transport::ends(error) => hyper::UNKNOWN,
        // The SDK's own limit, or a cut of ours.
        SdkError::TimeoutError(_) => {
            let cut = error.source().and_then(|below| causes(below).find_map(by_type));
            cut.unwrap_or((Classification::timeout(), "timeout"))
        }
        // Nothing was sent, and nothing that is sent again is built differently.
        _ => (Classification::permanent(), "construction"),
    }
}

fn by_service(error: &impl ProvideErrorKind, status: u16) -> Verdict {
    let code = error.code().and_then(|code| codes::known(code, status));
    let label = code.map_or("_OTHER", |(label, _)| label);
    // An error inside of a success, as S3 sends it: whoever sent the head did not know of it yet.
    let by_status = if status < 400 {
        Classification::permanent().maybe_executed()
    } else {
        Classification::from_status(status)
    };
    let by_model = || match error.retryable_error_kind()? {
        ErrorKind::ThrottlingError => Some(Classification::throttled()),
        ErrorKind::TransientError | ErrorKind::ServerError if (400..500).contains(&status) => {
            Some(Classification::transient())
        }
        ErrorKind::TransientError | ErrorKind::ServerError => {
            Some(Classification::transient().maybe_executed())
        }
        _ => None,
    };
    let by_code = code.and_then(|(_, class)| class);
    (by_code.or_else(by_model).unwrap_or(by_status), label)
}

fn by_dispatch(failure: &DispatchFailure) -> Verdict {
    let Some(connector) = failure.as_connector_error() else { return UNKNOWN };
    if !transport::ends(connector) {
        return hyper::UNKNOWN;
    }
    let late = || failure.is_timeout().then_some((Classification::timeout(), "dispatch_timeout"));
    let below = transport::verdict(connector).or_else(late);
    if causes(connector).any(is_connect) {
        transport::connecting(below)
    } else {
        below.unwrap_or_else(|| by_connector(failure))
    }
}

fn is_connect(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref().is_some_and(::hyper_util::client::legacy::Error::is_connect)
}

const UNKNOWN: Verdict = (Classification::permanent().maybe_executed(), "dispatch");

/// What a connector says that is none of ours, or that hides its errors.
fn by_connector(failure: &DispatchFailure) -> Verdict {
    let lost = Classification::transient().maybe_executed();
    if failure.is_io() {
        return (lost, "dispatch_io");
    }
    match failure.as_other() {
        Some(ErrorKind::TransientError | ErrorKind::ServerError) => (lost, "dispatch"),
        Some(ErrorKind::ThrottlingError) => {
            (Classification::throttled().maybe_executed(), "dispatch")
        }
        // The caller's own mistake, credentials that nobody could provide, a certificate.
        _ => UNKNOWN,
    }
}
