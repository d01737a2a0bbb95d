//! Requests of HTTP: which of them may be repeated.

use http::{HeaderMap, Method, Request};

use super::per_request::PerRequest;

/// Where HTTP says that a repeat is harmless, the call's policy is [idempotent](crate::Policy::idempotent): for
/// `.per_request(stormless::tower::by_method)`.
///
/// Harmless are GET, HEAD, OPTIONS, TRACE, PUT and DELETE (RFC 9110, section 9.2.2), and whatever has the field
/// `Idempotency-Key`. For others what the policy says still counts.
///
/// ```
/// # use retry_runtime as stormless;
/// use http::{Request, Response};
/// use stormless::{Policy, tower::{RetryLayer, by_method}};
///
/// const POLICY: Policy = Policy::new();
/// # type Body = String;
/// # type Error = std::io::Error;
/// let layer = RetryLayer::<Response<Body>, Error>::new(POLICY)
///     .classify_result(stormless::http::classify_result)
///     .per_request(by_method::<Body>);
/// # drop(layer);
/// ```
pub fn by_method<B>(request: &Request<B>, call: &mut PerRequest) {
    prepare(request.method(), request.headers(), call);
}

pub(super) fn prepare(method: &Method, headers: &HeaderMap, call: &mut PerRequest) {
    if method.is_idempotent() || headers.contains_key("idempotency-key") {
        call.set_policy(call.policy().idempotent());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Policy, run::Settings};

    fn is_idempotent(method: Method, key: Option<&'static str>, policy: Policy) -> bool {
        let mut request = Request::builder().method(method);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        let mut call = PerRequest::new(policy, Settings::new());
        by_method(&request.body(()).unwrap(), &mut call);
        call.policy().is_idempotent()
    }

    #[test]
    fn what_http_calls_idempotent_may_be_repeated() {
        let plain = Policy::new();
        for method in ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"] {
            assert!(is_idempotent(method.parse().unwrap(), None, plain), "{method}");
        }
        for method in ["POST", "PATCH", "CONNECT", "get", "PURGE"] {
            assert!(!is_idempotent(method.parse().unwrap(), None, plain), "{method}");
        }
    }

    #[test]
    fn a_key_or_the_policy_makes_any_request_repeatable() {
        assert!(is_idempotent(Method::POST, Some("7"), Policy::new()));
        assert!(is_idempotent(Method::POST, None, Policy::new().idempotent()));
    }
}
