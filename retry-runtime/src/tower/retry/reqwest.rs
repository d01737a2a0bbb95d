//! What reqwest's requests are like.

use reqwest::{Request, Response};

use super::{
    http::prepare,
    layer::RetryLayer,
    per_request::PerRequest,
    presets::Judge,
    sending::{ByMethod, CloneWith, Sending},
};
use crate::{
    Policy,
    adapters::reqwest::classify_result,
    run::{Awaited, ByError, Nobody},
};

/// [`stormless::tower::by_method`](crate::tower::by_method) for reqwest's requests.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, reqwest::{by_method, classify_result}, tower::RetryLayer};
///
/// const POLICY: Policy = Policy::new();
///
/// let layer = RetryLayer::<reqwest::Response, reqwest::Error>::new(POLICY)
///     .classify_result(classify_result)
///     .clone_with(reqwest::Request::try_clone)
///     .per_request(by_method);
/// # drop(layer);
/// ```
pub fn by_method(request: &Request, call: &mut PerRequest) {
    prepare(request.method(), request.headers(), call);
}

impl<E>
    RetryLayer<
        Response,
        E,
        Awaited,
        ByError<E>,
        Judge<Response, E>,
        Nobody,
        Nobody,
        Sending<CloneWith<fn(&Request) -> Option<Request>>, ByMethod>,
    >
{
    /// For whatever sends reqwest's requests: a `reqwest::Client`, which is a service, or as a middleware of
    /// `reqwest_middleware` (feature `reqwest-middleware-0-5`).
    ///
    /// Responses are judged by [`classify_result`](crate::reqwest::classify_result), requests by their
    /// [method](crate::reqwest::by_method), and a request whose body is a stream is sent once.
    ///
    /// reqwest's own error cannot say that an attempt was cut: a layer right around a client needs
    /// [`explain`](Self::explain) before a `deadline`, an `attempt_timeout` or a `breaker`. That of
    /// `reqwest_middleware` can. Neither retries what the client does underneath: see
    /// [`unretried`](crate::reqwest::unretried).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// # use tower_layer::Layer;
    /// # use tower_service::Service;
    /// use std::time::Duration;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// const POLICY: Policy = Policy::new().attempts(4);
    ///
    /// # fn client() -> impl Service<reqwest::Request, Response = reqwest::Response> {
    /// let client = RetryLayer::reqwest(POLICY)
    ///     .named("orders")
    ///     .explain()
    ///     .deadline(Duration::from_secs(2))
    ///     .layer(reqwest::Client::new());
    /// # client
    /// # }
    /// ```
    #[track_caller]
    pub fn reqwest(policy: Policy) -> Self {
        let clone: fn(&Request) -> Option<Request> = Request::try_clone;
        let judge: fn(&_) -> _ = classify_result;
        RetryLayer::new(policy).classify_result(judge).clone_with(clone).by_method()
    }
}
