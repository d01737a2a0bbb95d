//! The client's side: requests tell of the attempt that sends them.

use std::task::{Context, Poll};

use tower_layer::Layer;
use tower_service::Service;

use crate::wire::Inject;

/// The layer of a client: each request tells the callee of the attempt that sends it, and of the time that is
/// left at that moment. See [`wire`](crate::wire) for what is written.
///
/// It fits whatever sends `http::Request`s, such as hyper-util's client or a channel of tonic, and with the
/// feature `reqwest-0-13` also what sends `reqwest::Request`s.
///
/// ```
/// # use retry_runtime as stormless;
/// # use tower_layer::Layer;
/// use stormless::{tower::InjectLayer, wire::Inject};
///
/// # let client = ();
/// let client = InjectLayer::new().layer(client);
/// # let client = ();
/// let client = InjectLayer::of(Inject::new().idempotency_key()).layer(client);
/// ```
///
/// With the feature `reqwest-middleware-0-5` it is a middleware too, to be put inside the retry layer:
/// `.with(RetryLayer::reqwest(POLICY)).with(InjectLayer::new())`.
///
/// The call that sends must be made within the attempt: not by a task that a buffer has spawned.
#[derive(Clone, Copy, Debug, Default)]
pub struct InjectLayer {
    what: Inject,
}

impl InjectLayer {
    /// Of the header `stormless-attempt` alone.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::tower::InjectLayer;
    /// # use tower_layer::Layer;
    ///
    /// # let client = ();
    /// let client = InjectLayer::new().layer(client);
    /// # drop(client);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self::of(Inject::new())
    }

    /// Of all that `what` writes.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{tower::InjectLayer, wire::Inject};
    /// # use tower_layer::Layer;
    ///
    /// # let client = ();
    /// let client = InjectLayer::of(Inject::new().grpc_timeout().idempotency_key()).layer(client);
    /// # drop(client);
    /// ```
    #[must_use]
    pub const fn of(what: Inject) -> Self {
        Self { what }
    }
}

impl<S> Layer<S> for InjectLayer {
    type Service = InjectService<S>;

    fn layer(&self, inner: S) -> InjectService<S> {
        InjectService { inner, what: self.what }
    }
}

/// What [`InjectLayer`] makes of a service.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::tower::{InjectLayer, InjectService};
/// # use tower_layer::Layer;
///
/// /// A client that tells its callee of attempts.
/// struct Orders<S> {
///     client: InjectService<S>,
/// }
///
/// # let client = ();
/// let orders = Orders { client: InjectLayer::new().layer(client) };
/// # let _ = orders.client;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct InjectService<S> {
    inner: S,
    what: Inject,
}

impl<S, B> Service<http::Request<B>> for InjectService<S>
where
    S: Service<http::Request<B>>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, task: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(task)
    }

    fn call(&mut self, mut request: http::Request<B>) -> S::Future {
        self.what.write(request.headers_mut());
        self.inner.call(request)
    }
}

#[cfg(feature = "reqwest-0-13")]
impl<S> Service<reqwest::Request> for InjectService<S>
where
    S: Service<reqwest::Request>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, task: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(task)
    }

    fn call(&mut self, mut request: reqwest::Request) -> S::Future {
        self.what.write(request.headers_mut());
        self.inner.call(request)
    }
}

/// Inside the retry layer, so that each attempt tells of itself.
#[cfg(feature = "reqwest-middleware-0-5")]
#[async_trait::async_trait]
impl reqwest_middleware::Middleware for InjectLayer {
    async fn handle(
        &self,
        mut request: reqwest::Request,
        extensions: &mut http::Extensions,
        next: reqwest_middleware::Next<'_>,
    ) -> reqwest_middleware::Result<reqwest::Response> {
        self.what.write(request.headers_mut());
        next.run(request, extensions).await
    }
}
