//! The server's side: requests are answered inside of what their callers say about them.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use http::{Request, Response, request::Parts};
use pin_project_lite::pin_project;
use tower_layer::Layer;
use tower_service::Service;

use super::{refusal::Protocol, retry::Attempt};
use crate::{
    Moment, clock,
    timer::Slot,
    wire::{Incoming, IncomingScope, extract},
};

/// The layer of a server, for axum, tonic and whatever else answers `http::Request`s: annotated functions in
/// there run once where the caller retries, and end at the caller's deadline.
///
/// What requests say counts only for callers that are trusted, since it makes retries stop and time short:
/// there is no layer without a word on whom to trust.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::tower::ServerLayer;
///
/// // Behind a gateway that lets no such headers in from outside.
/// let layer = ServerLayer::trusting_all();
///
/// // Only what comes through the mesh's proxy, which says so.
/// let layer = ServerLayer::trusting(|request| request.headers.contains_key("x-from-mesh"));
/// ```
///
/// What is trusted is also there for handlers, as an [`Incoming`] in the request's extensions.
///
/// The answer of a request whose caller's deadline passes is `504 Gateway Timeout`, or gRPC's
/// `DEADLINE_EXCEEDED`, and the service's future is dropped, as it is when a client goes away; see
/// [`uncut`](Self::uncut). Where it has passed when the request comes, that is the answer at once, and the service
/// is not called. Bodies that are streamed after the service has answered are outside of all this.
#[derive(Clone)]
pub struct ServerLayer {
    rules: Rules,
}

type Trust = Arc<dyn Fn(&Parts) -> bool + Send + Sync>;

#[derive(Clone)]
struct Rules {
    /// `None` trusts everybody.
    trust: Option<Trust>,
    overloaded: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
    cuts: bool,
}

impl ServerLayer {
    /// What requests say counts where `trust` says so.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::tower::ServerLayer;
    ///
    /// let layer = ServerLayer::trusting(|request| request.headers.contains_key("x-from-mesh"));
    /// # drop(layer);
    /// ```
    #[must_use]
    pub fn trusting(trust: impl Fn(&Parts) -> bool + Send + Sync + 'static) -> Self {
        Self { rules: Rules { trust: Some(Arc::new(trust)), overloaded: None, cuts: true } }
    }

    /// What requests say always counts: for servers that only services of one's own can reach.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::tower::ServerLayer;
    /// # use tower_layer::Layer;
    ///
    /// # let service = ();
    /// let service = ServerLayer::trusting_all().layer(service);
    /// # drop(service);
    /// ```
    #[must_use]
    pub fn trusting_all() -> Self {
        Self { rules: Rules { trust: None, overloaded: None, cuts: true } }
    }

    /// While `overloaded` says so, requests of trusted callers that were sent before are refused at once: with
    /// `503 Service Unavailable`, or gRPC's `RESOURCE_EXHAUSTED`, and the mark by which their callers know
    /// that they are not to come again. First attempts go on to the service: a server that can do only part of
    /// its work does that part whose answer nobody has been waiting for already.
    ///
    /// It is asked once for each retry, and should only look at something.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    /// use stormless::tower::ServerLayer;
    ///
    /// static RUNNING: AtomicUsize = AtomicUsize::new(0);
    ///
    /// let layer =
    ///     ServerLayer::trusting_all().shed_retries_when(|| RUNNING.load(Ordering::Relaxed) > 200);
    /// # drop(layer);
    /// ```
    #[must_use]
    pub fn shed_retries_when(
        mut self,
        overloaded: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Self {
        self.rules.overloaded = Some(Arc::new(overloaded));
        self
    }

    /// Leaves the service to answer, however late. The caller's deadline still stops retries and waits, and
    /// ends attempts of annotated functions whose error can say so.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::tower::ServerLayer;
    ///
    /// let layer = ServerLayer::trusting_all().uncut();
    /// # drop(layer);
    /// ```
    #[must_use]
    pub fn uncut(mut self) -> Self {
        self.rules.cuts = false;
        self
    }
}

impl fmt::Debug for ServerLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ServerLayer").field(&self.rules).finish()
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules")
            .field("trusts_all", &self.trust.is_none())
            .field("sheds", &self.overloaded.is_some())
            .field("cuts", &self.cuts)
            .finish()
    }
}

impl<S> Layer<S> for ServerLayer {
    type Service = ServerService<S>;

    fn layer(&self, inner: S) -> ServerService<S> {
        ServerService { inner, rules: self.rules.clone() }
    }
}

/// What [`ServerLayer`] makes of a service.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::tower::{ServerLayer, ServerService};
/// # use tower_layer::Layer;
///
/// /// A server that believes its callers.
/// struct Orders<S> {
///     service: ServerService<S>,
/// }
///
/// # let service = ();
/// let orders = Orders { service: ServerLayer::trusting_all().layer(service) };
/// # drop(orders.service);
/// ```
#[derive(Clone, Debug)]
pub struct ServerService<S> {
    inner: S,
    rules: Rules,
}

impl<S, B, A> Service<Request<B>> for ServerService<S>
where
    S: Service<Request<B>, Response = Response<A>> + Clone,
    A: Default,
{
    type Response = Response<A>;
    type Error = S::Error;
    type Future = ServerFuture<Attempt<S, Request<B>>>;

    /// Always: a request is looked at before anything is waited for, and the wait for the service inside is a part
    /// of the caller's time.
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let (mut parts, body) = request.into_parts();
        let service = self.inner.clone();
        let Some(incoming) = self.rules.read(&parts) else {
            return ServerFuture::unscoped(Attempt::of(service, Request::from_parts(parts, body)));
        };
        let protocol = Protocol::of(&parts.headers);
        let deadline = if self.rules.cuts { incoming.deadline() } else { Moment::NEVER };
        if deadline != Moment::NEVER && deadline <= clock::now() {
            return ServerFuture::of(Inner::Late, protocol);
        }
        if self.rules.sheds(incoming) {
            return ServerFuture::of(Inner::Refused, protocol);
        }
        parts.extensions.insert(incoming);
        let attempt = Attempt::of(service, Request::from_parts(parts, body));
        ServerFuture {
            inner: Inner::Scoped { future: Some(incoming.scope(attempt)) },
            deadline,
            timer: Slot::due(deadline),
            protocol,
        }
    }
}

impl Rules {
    /// What a request says, if it says something and that counts.
    fn read(&self, parts: &Parts) -> Option<Incoming> {
        let trusted = self.trust.as_ref().is_none_or(|trust| trust(parts));
        trusted.then(|| extract(&parts.headers)).filter(|incoming| !incoming.is_empty())
    }

    fn sheds(&self, incoming: Incoming) -> bool {
        incoming.is_retry() && self.overloaded.as_ref().is_some_and(|overloaded| overloaded())
    }
}

pin_project! {
    /// The answer to a request.
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct ServerFuture<F> {
        #[pin]
        inner: Inner<F>,
        deadline: Moment,
        #[pin]
        timer: Slot,
        protocol: Protocol,
    }
}

pin_project! {
    #[derive(Debug)]
    #[project = InnerPinned]
    enum Inner<F> {
        /// The request says nothing that counts.
        Unscoped { #[pin] future: F },
        /// `None` once the deadline has passed.
        Scoped { #[pin] future: Option<IncomingScope<F>> },
        /// The deadline had passed when the request came.
        Late,
        /// It was a retry, and there is no room for those.
        Refused,
    }
}

impl<F> ServerFuture<F> {
    const fn of(inner: Inner<F>, protocol: Protocol) -> Self {
        Self { inner, deadline: Moment::NEVER, timer: Slot::empty(), protocol }
    }

    const fn unscoped(future: F) -> Self {
        Self::of(Inner::Unscoped { future }, Protocol::Http)
    }
}

impl<F, B, E> Future for ServerFuture<F>
where
    F: Future<Output = Result<Response<B>, E>>,
    B: Default,
{
    type Output = Result<Response<B>, E>;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let mut scoped = match this.inner.project() {
            InnerPinned::Unscoped { future } => return future.poll(task),
            InnerPinned::Late => return Poll::Ready(Ok(this.protocol.late())),
            InnerPinned::Refused => return Poll::Ready(Ok(this.protocol.shed())),
            InnerPinned::Scoped { future } => future,
        };
        if let Some(future) = scoped.as_mut().as_pin_mut() {
            let polled = future.poll(task);
            if polled.is_ready() || *this.deadline == Moment::NEVER {
                return polled;
            }
        }
        if this.timer.poll(task).is_pending() {
            return Poll::Pending;
        }
        scoped.set(None);
        Poll::Ready(Ok(this.protocol.late()))
    }
}
