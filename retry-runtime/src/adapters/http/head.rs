//! What the head of a response says about a retry.

use ::http::{HeaderMap, Response, StatusCode};

use super::{super::labelled, fields::Fields, wait};
use crate::{Classification, Retryable};

/// What a status and the fields beside it say; `None` for a status below 400, which is no failure.
///
/// The status decides as in [`Classification::from_status`], and the fields refine it: see the
/// [table](crate::http). For clients that have a response type of their own.
///
/// ```
/// # use retry_runtime as stormless;
/// use http::{HeaderMap, StatusCode};
/// use stormless::{Execution, Kind, http::classify_head};
///
/// let gateway = classify_head(StatusCode::BAD_GATEWAY, &HeaderMap::new()).unwrap();
/// assert_eq!((gateway.kind(), gateway.execution()), (Kind::Transient, Execution::MaybeExecuted));
/// assert_eq!(classify_head(StatusCode::NOT_MODIFIED, &HeaderMap::new()), None);
/// ```
#[must_use]
pub fn classify_head(status: StatusCode, headers: &HeaderMap) -> Option<Classification> {
    classify(status, headers, Classification::from_status)
}

/// [`classify_head`] for a response as a whole.
///
/// ```
/// # use retry_runtime as stormless;
/// use http::{Response, StatusCode};
/// use stormless::{Kind, http::classify_response};
///
/// let mut response = Response::new("too much");
/// *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
/// assert_eq!(classify_response(&response).unwrap().kind(), Kind::Throttled);
/// assert_eq!(classify_response(&Response::new("an order")), None);
/// ```
#[must_use]
pub fn classify_response<B>(response: &Response<B>) -> Option<Classification> {
    classify_head(response.status(), response.headers())
}

/// [`classify_head`] for `classify_result = stormless::http::classify_result`: a response is judged by its
/// head, and an error speaks for itself.
///
/// ```
/// # use retry_runtime as stormless;
/// use http::Response;
/// use stormless::{Kind, http::classify_result};
///
/// let mut response = Response::new("too much");
/// *response.status_mut() = http::StatusCode::TOO_MANY_REQUESTS;
/// let answered: Result<_, std::io::Error> = Ok(response);
/// assert_eq!(classify_result(&answered).unwrap().kind(), Kind::Throttled);
///
/// let lost: Result<Response<()>, _> = Err(std::io::Error::from(std::io::ErrorKind::BrokenPipe));
/// assert_eq!(classify_result(&lost), None);
/// ```
#[must_use]
pub fn classify_result<B, E>(result: &Result<Response<B>, E>) -> Option<Classification> {
    classify_response(result.as_ref().ok()?)
}

/// [`classify_head`] with the base delays of [`Classification::from_status_with_base`].
///
/// ```
/// # use retry_runtime as stormless;
/// use std::time::Duration;
/// use http::{HeaderMap, StatusCode};
/// use stormless::http::classify_head_with_base;
///
/// let busy = classify_head_with_base(StatusCode::TOO_MANY_REQUESTS, &HeaderMap::new()).unwrap();
/// assert_eq!(busy.base_override(), Some(Duration::from_millis(100)));
/// ```
#[must_use]
pub fn classify_head_with_base(status: StatusCode, headers: &HeaderMap) -> Option<Classification> {
    classify(status, headers, Classification::from_status_with_base)
}

/// [`classify_response`] with the base delays of [`Classification::from_status_with_base`].
///
/// ```
/// # use retry_runtime as stormless;
/// use std::time::Duration;
/// use http::{Response, StatusCode};
/// use stormless::http::classify_response_with_base;
///
/// let mut response = Response::new("overloaded");
/// *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
/// let down = classify_response_with_base(&response).unwrap();
/// assert_eq!(down.base_override(), Some(Duration::from_millis(500)));
/// ```
#[must_use]
pub fn classify_response_with_base<B>(response: &Response<B>) -> Option<Classification> {
    classify_head_with_base(response.status(), response.headers())
}

/// [`classify_result`] with the base delays of [`Classification::from_status_with_base`].
/// [`Policy::with_status_bases`](crate::Policy::with_status_bases) belongs to it.
///
/// ```
/// # use retry_runtime as stormless;
/// use http::Response;
/// use stormless::{Policy, http::classify_result_with_base};
///
/// const POLICY: Policy = Policy::with_status_bases();
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let fetch = async || Ok::<_, std::io::Error>(Response::new("an order"));
/// let order = POLICY.run(fetch).classify_result(classify_result_with_base).await.unwrap();
/// assert_eq!(order.into_body(), "an order");
/// # }
/// ```
#[must_use]
pub fn classify_result_with_base<B, E>(result: &Result<Response<B>, E>) -> Option<Classification> {
    classify_response_with_base(result.as_ref().ok()?)
}

fn classify(
    status: StatusCode,
    headers: &HeaderMap,
    of: fn(u16) -> Classification,
) -> Option<Classification> {
    let code = status.as_u16();
    if code < 400 {
        return None;
    }
    let fields = Fields::of(headers);
    if fields.never {
        return Some(labelled((of(code).do_not_retry(), status.label())));
    }
    // Each of these says what its own status would, and the status beside it may be anything.
    let refused_for_now = matches!(code, 403 | 413) && wait::is_limited(headers);
    let class = if fields.limited || refused_for_now {
        of(429)
    } else if code >= 500 && fields.overloaded {
        of(503)
    } else {
        of(code)
    };
    let class = fields.wait.map_or(class, |wait| class.retry_after(wait));
    // Counted as what was sent, whatever it comes to.
    Some(labelled((class, status.label())))
}

#[cfg(test)]
mod tests;
