//! Errors and responses of reqwest.

use ::reqwest::{ClientBuilder, Error, Response};

use super::{Verdict, http, hyper, labelled, transport};
use crate::{Classification, Retryable};

/// The first row that fits decides.
///
/// | error | class |
/// |---|---|
/// | with a status, from `error_for_status` | as the status, but the fields beside it are lost: prefer [`classify_result`] |
/// | `is_builder`, `is_redirect`, `is_upgrade` | permanent |
/// | `is_connect`: refused, unreachable, a name that does not resolve | transient, not executed |
/// | `is_connect` and `is_timeout` | timeout, not executed |
/// | `is_connect`, and rustls does not trust the certificate | permanent, not executed |
/// | not written to the connection; a stream of HTTP/2 that was refused or came after the last that counts | transient, not executed |
/// | `is_timeout` | timeout |
/// | closed or reset without an answer, or in the middle of it | transient, may have executed |
/// | another reset of HTTP/2 | by its code, may have executed: see `stormless::h2` |
/// | the answer is not HTTP | permanent, may have executed |
/// | `is_decode` without such a cause: a whole answer that is not what was expected | permanent, executed |
///
/// reqwest cannot be told to make an error of ours into one of its own: an inherited deadline does not cut a
/// function that returns it, unless it has `cut_error`.
impl Retryable for Error {
    fn classify(&self) -> Classification {
        verdict(self).0
    }
    fn label(&self) -> &'static str {
        verdict(self).1
    }
}

/// For `classify = stormless::reqwest::classify`.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Kind, reqwest::classify};
///
/// let no_address = reqwest::Client::new().get("no address").build().unwrap_err();
/// assert_eq!(classify(&no_address).kind(), Kind::Permanent);
/// ```
pub fn classify(error: &Error) -> Classification {
    labelled(verdict(error))
}

/// What a response says by its status and the fields beside it; `None` for a status below 400.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Kind, reqwest::classify_response};
///
/// let mut response = http::Response::new("too much");
/// *response.status_mut() = http::StatusCode::TOO_MANY_REQUESTS;
/// let response = reqwest::Response::from(response);
/// assert_eq!(classify_response(&response).unwrap().kind(), Kind::Throttled);
/// ```
#[must_use]
pub fn classify_response(response: &Response) -> Option<Classification> {
    http::classify_head(response.status(), response.headers())
}

/// For `classify_result = stormless::reqwest::classify_result`, on a function that returns the response
/// whatever its status: a response is judged by its head, and an error speaks for itself.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Kind, reqwest::classify_result};
///
/// let mut response = http::Response::new("down");
/// *response.status_mut() = http::StatusCode::SERVICE_UNAVAILABLE;
/// let answered: Result<_, reqwest::Error> = Ok(reqwest::Response::from(response));
/// assert_eq!(classify_result(&answered).unwrap().kind(), Kind::Throttled);
/// ```
#[must_use]
pub fn classify_result<E>(result: &Result<Response, E>) -> Option<Classification> {
    classify_response(result.as_ref().ok()?)
}

/// [`classify_response`] with the base delays of [`Classification::from_status_with_base`].
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::reqwest::classify_response_with_base;
/// use std::time::Duration;
///
/// let mut response = http::Response::new("down");
/// *response.status_mut() = http::StatusCode::SERVICE_UNAVAILABLE;
/// let class = classify_response_with_base(&reqwest::Response::from(response)).unwrap();
/// assert_eq!(class.base_override(), Some(Duration::from_millis(500)));
/// ```
#[must_use]
pub fn classify_response_with_base(response: &Response) -> Option<Classification> {
    http::classify_head_with_base(response.status(), response.headers())
}

/// [`classify_result`] with the base delays of [`Classification::from_status_with_base`].
/// [`Policy::with_status_bases`](crate::Policy::with_status_bases) belongs to it.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::reqwest::classify_result_with_base;
/// use std::time::Duration;
///
/// let mut response = http::Response::new("too much");
/// *response.status_mut() = http::StatusCode::TOO_MANY_REQUESTS;
/// let answered: Result<_, reqwest::Error> = Ok(reqwest::Response::from(response));
/// let class = classify_result_with_base(&answered).unwrap();
/// assert_eq!(class.base_override(), Some(Duration::from_millis(100)));
/// ```
#[must_use]
pub fn classify_result_with_base<E>(result: &Result<Response, E>) -> Option<Classification> {
    classify_response_with_base(result.as_ref().ok()?)
}

/// A client that sends each request once, so that attempts and budgets count what reaches the server.
///
/// By default it sends a request up to two times more, at once, where a server of HTTP/2 refuses the stream
/// or says goodbye.
///
/// ```
/// # use retry_runtime as stormless;
/// let client = stormless::reqwest::unretried(reqwest::Client::builder()).build()?;
/// # drop(client);
/// # Ok::<(), reqwest::Error>(())
/// ```
pub fn unretried(builder: ClientBuilder) -> ClientBuilder {
    builder.retry(::reqwest::retry::never())
}

fn verdict(error: &Error) -> Verdict {
    if let Some(status) = error.status() {
        return (status.classify(), status.label());
    }
    let hopeless = Classification::permanent();
    if error.is_builder() {
        (hopeless, "builder")
    } else if error.is_redirect() {
        (hopeless.maybe_executed(), "redirect")
    } else if error.is_upgrade() {
        (hopeless.maybe_executed(), "upgrade")
    } else if !transport::ends(error) {
        hyper::UNKNOWN
    } else if error.is_connect() {
        let unresolved = || error.is_dns().then_some((Classification::transient(), "dns"));
        transport::connecting(below(error).or_else(unresolved))
    } else if error.is_decode() || error.is_body() {
        reading(error)
    } else {
        below(error).unwrap_or((hopeless.maybe_executed(), "request"))
    }
}

/// What the cause says. reqwest's own timeouts are of a type that nobody else can name.
fn below(error: &Error) -> Option<Verdict> {
    let late = || error.is_timeout().then_some((Classification::timeout(), "timeout"));
    transport::verdict(error).or_else(late)
}

/// The answer had begun, so that nobody can say that nothing was carried out.
fn reading(error: &Error) -> Verdict {
    match below(error) {
        Some((class, label)) => (class.maybe_executed(), label),
        None if error.is_decode() => (Classification::permanent().executed(), "decode"),
        None => (Classification::permanent().maybe_executed(), "body"),
    }
}
