//! `object_store` 0.14.

use std::error::Error as StdError;
use std::fmt;
use std::iter::successors;
use std::time::Duration;

use ::object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
    ReqwestConnector,
};
use ::object_store::path::Path;
use ::object_store::{ClientOptions, Error, ObjectStore, ObjectStoreExt, Result, RetryConfig};
use bytes::Bytes;
use http::StatusCode;
use stormless::{Budget, Classification, Cut, RetryAfter, Retryable, budget, retry};

/// What an error of `object_store` means for a retry, if its own retries are [off](unretried) and the
/// statuses are [kept](KeepStatus).
pub fn classify(error: &Error) -> Classification {
    match error {
        // The store has answered.
        Error::NotFound { .. }
        | Error::AlreadyExists { .. }
        | Error::Precondition { .. }
        | Error::NotModified { .. }
        | Error::PermissionDenied { .. }
        | Error::Unauthenticated { .. } => Classification::permanent().executed(),
        Error::Generic { source, .. } => by_cause(source.as_ref()),
        Error::JoinError { source } if source.is_cancelled() => Classification::cancelled(),
        // Paths, settings and operations that the store was not even asked for.
        _ => Classification::permanent(),
    }
}

/// What lies below `Generic` is private to the crate but for these types.
fn by_cause(error: &(dyn StdError + 'static)) -> Classification {
    let causes = || successors(Some(error), |&error| error.source());
    // No real error causes itself, whatever its kind says.
    if causes().nth(16).is_some() {
        return Classification::permanent();
    }
    if let Some(answer) = causes().find_map(|error| error.downcast_ref::<Answer>()) {
        let class = Classification::from_status(answer.status.as_u16());
        return answer.retry_after.map_or(class, |wait| class.retry_after(wait));
    }
    match causes().find_map(|error| error.downcast_ref::<HttpError>()).map(HttpError::kind) {
        Some(HttpErrorKind::Connect) => Classification::transient(),
        // "Not sent", says the crate, and counts answers that broke off among them.
        Some(HttpErrorKind::Request | HttpErrorKind::Interrupted) => {
            Classification::transient().maybe_executed()
        }
        // Connecting too slowly is one as well.
        Some(HttpErrorKind::Timeout) => Classification::timeout(),
        // A body that was cut off is no bad body, and has an `io::Error` below. So has a cut of stormless.
        _ => causes()
            .find_map(|error| error.downcast_ref::<std::io::Error>())
            .map_or(Classification::permanent(), Retryable::classify),
    }
}

/// No retries of the store's own, for `with_retry`.
pub fn unretried() -> RetryConfig {
    RetryConfig { max_retries: 0, ..RetryConfig::default() }
}

/// For `with_http_connector`: keeps the status and the `Retry-After` of answers that a retry may follow. Of
/// these `object_store`'s own error has nothing but the text, and of the header not even that.
#[derive(Debug, Default)]
pub struct KeepStatus;

impl HttpConnector for KeepStatus {
    fn connect(&self, options: &ClientOptions) -> Result<HttpClient> {
        let client = ReqwestConnector::default().connect(options)?;
        Ok(HttpClient::new(StatusKeeper(client)))
    }
}

#[derive(Debug)]
struct StatusKeeper(HttpClient);

#[async_trait::async_trait]
impl HttpService for StatusKeeper {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let response = self.0.execute(request).await?;
        let status = response.status();
        if status.is_server_error() || matches!(status.as_u16(), 408 | 425 | 429) {
            let retry_after = RetryAfter::from_headers(response.headers());
            // `Unknown` is what object_store never repeats by itself.
            return Err(HttpError::new(HttpErrorKind::Unknown, Answer { status, retry_after }));
        }
        Ok(response)
    }
}

#[derive(Debug)]
struct Answer {
    status: StatusCode,
    retry_after: Option<Duration>,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the store answered {}", self.status)
    }
}

impl StdError for Answer {}

budget! { static OBJECTS: Budget = Budget::new("objects"); }

/// Reads an object as a whole: a body that breaks off is asked for anew, too.
///
/// # Errors
///
/// What the store says, or a cut at the deadline.
#[retry(classify = classify, cut_error = cut, deadline = "10s", budget = OBJECTS, idempotent)]
pub async fn read(store: &dyn ObjectStore, path: &Path) -> Result<Bytes> {
    store.get(path).await?.bytes().await
}

fn cut(cut: Cut) -> Error {
    Error::Generic { store: "stormless", source: std::io::Error::other(cut).into() }
}

#[cfg(test)]
mod tests;
