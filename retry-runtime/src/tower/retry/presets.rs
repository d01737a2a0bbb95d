//! Layers for requests that everybody knows.

use http::Response;

use super::{
    layer::RetryLayer,
    sending::{ByClone, ByMethod, Sending},
};
use crate::{
    Classification, Policy,
    adapters::http::classify_result,
    run::{Awaited, ByError, ByResult, ByTrait, Nobody},
};

/// Results are judged by a function, and errors speak for themselves.
pub(super) type Judge<T, E> = ByResult<fn(&Result<T, E>) -> Option<Classification>, ByTrait>;

impl<A, E>
    RetryLayer<
        Response<A>,
        E,
        Awaited,
        ByError<E>,
        Judge<Response<A>, E>,
        Nobody,
        Nobody,
        Sending<ByClone, ByMethod>,
    >
{
    /// For clients that send `http::Request`s, such as hyper-util's: responses are judged by
    /// [`classify_result`](crate::http::classify_result), and requests by their [method](super::by_method).
    ///
    /// A clone of a request has its method, address, version, fields, extensions and body. Bodies of which
    /// there can be no second, such as hyper's `Incoming`, are not `Clone`: see
    /// [`clone_with`](Self::clone_with).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// # use tower_layer::Layer;
    /// # use tower_service::Service;
    /// # use http::{Request, Response};
    /// use stormless::{Policy, tower::{RetryLayer, classify}};
    ///
    /// # type BoxError = Box<dyn std::error::Error + Send + Sync>;
    /// # fn decorate<S>(client: S) -> impl Service<Request<String>, Response = Response<String>>
    /// # where S: Service<Request<String>, Response = Response<String>, Error = BoxError> + Clone {
    /// let client = RetryLayer::http(Policy::new())
    ///     .named("orders")
    ///     // Where there are layers inside whose errors are boxed.
    ///     .classify(classify)
    ///     .layer(client);
    /// # client
    /// # }
    /// ```
    #[track_caller]
    pub fn http(policy: Policy) -> Self {
        let judge: fn(&_) -> _ = classify_result;
        RetryLayer::new(policy).classify_result(judge).by_method()
    }
}
