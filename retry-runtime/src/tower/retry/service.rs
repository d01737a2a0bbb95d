//! The service, whose calls are driven as those of closures are.

use std::{
    future::Future,
    mem,
    task::{Context, Poll},
};

use tower_service::Service;

use super::{
    attempt::Requests,
    layer::RetryLayer,
    per_request::PerRequest,
    sending::{Cloning, Preparing},
};
use crate::run::{
    Adjusting, Awaited, Drive, Express, HedgedDrive, Hedging, Judging, Rules, Setup, Told, driver,
};

/// What [`RetryLayer`] makes of a service: `L` is the layer.
#[derive(Clone, Debug)]
pub struct RetryService<S, L> {
    inner: S,
    layer: L,
}

impl<S, L> RetryService<S, L> {
    pub(super) const fn new(inner: S, layer: L) -> Self {
        Self { inner, layer }
    }

    /// The service inside.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, tower::RetryLayer};
    /// # use tower_layer::Layer;
    ///
    /// #[derive(Clone)]
    /// struct Client;
    ///
    /// let service = RetryLayer::<u32, std::io::Error>::new(Policy::new()).layer(Client);
    /// let inside: &Client = service.get_ref();
    /// # let _ = inside;
    /// ```
    pub const fn get_ref(&self) -> &S {
        &self.inner
    }

    /// The service inside.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, tower::RetryLayer};
    /// # use tower_layer::Layer;
    ///
    /// #[derive(Clone)]
    /// struct Client;
    ///
    /// let mut service = RetryLayer::<u32, std::io::Error>::new(Policy::new()).layer(Client);
    /// let inside: &mut Client = service.get_mut();
    /// # let _ = inside;
    /// ```
    pub const fn get_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    /// The service inside.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, tower::RetryLayer};
    /// # use tower_layer::Layer;
    ///
    /// #[derive(Clone)]
    /// struct Client;
    ///
    /// let service = RetryLayer::<u32, std::io::Error>::new(Policy::new()).layer(Client);
    /// let inside: Client = service.into_inner();
    /// # let _ = inside;
    /// ```
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<T, E, M, C, J, K, A, Q> RetryLayer<T, E, M, C, J, K, A, Q>
where
    Rules<C, J, K, A>: Clone,
{
    /// All that is said about the call that sends a request.
    pub(super) fn prepare<Req>(&self, request: &Req) -> Setup<Rules<C, J, K, A>>
    where
        Q: Preparing<Req>,
    {
        let mut call = PerRequest::new(self.setup.policy, self.setup.settings.clone());
        self.sending.prepare(request, &mut call);
        call.with(self.setup.rules.clone())
    }
}

/// A layer that knows all it has to know about the calls of a service.
#[diagnostic::on_unimplemented(
    message = "this `RetryLayer` does not know how to retry the calls of the service inside",
    label = "something is missing about the service, its error or its requests",
    note = "the service has to be `Clone`; `tower::buffer` makes any service so",
    note = "its error has to say whether a retry can help: `#[derive(stormless::Retryable)]`, or `.classify(..)` on the layer, such as `.classify(stormless::tower::classify)` for a `BoxError`",
    note = "its requests have to be `Clone`, or `.clone_with(..)` on the layer says how to send one twice"
)]
pub trait Retries<S, Req> {
    /// What the service answers.
    type Response;
    /// What calls fail with.
    type Error;
    /// A call.
    type Future: Future<Output = Result<Self::Response, Self::Error>>;

    /// Whether the service is ready.
    fn poll_ready(service: &mut S, task: &mut Context<'_>) -> Poll<Result<(), Self::Error>>;
    /// Calls the service, which is ready, and leaves one in its place that is not.
    fn call(&self, service: &mut S, request: Req) -> Self::Future;
}

// Written out for each form: what a form asks of its operation would be reported in place of what is missing.
macro_rules! retries {
    ($form:ty, $driver:ident) => {
        impl<S, Req, T, E, C, J, K, A, Q> Retries<S, Req> for RetryLayer<T, E, $form, C, J, K, A, Q>
        where
            S: Service<Req, Response = T, Error = E> + Clone,
            Q: Cloning<Req> + Preparing<Req> + Clone,
            J: Judging<T, E> + Clone,
            C: Express<T, E> + Clone,
            K: Told<E> + Clone,
            A: Adjusting<E> + Clone,
        {
            type Response = T;
            type Error = C::Error;
            type Future = $driver<Requests<S, Req, Q>, Rules<C, J, K, A>>;

            fn poll_ready(service: &mut S, task: &mut Context<'_>) -> Poll<Result<(), C::Error>> {
                service.poll_ready(task).map_err(C::unready)
            }

            fn call(&self, service: &mut S, request: Req) -> Self::Future {
                let setup = self.prepare(&request);
                let waiting = service.clone();
                let ready = mem::replace(service, waiting);
                let requests = Requests::new(ready, request, self.sending.clone());
                driver::<$form, _, _>(requests, setup)
            }
        }
    };
}

retries!(Awaited, Drive);
retries!(Hedging, HedgedDrive);

impl<S, Req, L: Retries<S, Req>> Service<Req> for RetryService<S, L> {
    type Response = L::Response;
    type Error = L::Error;
    type Future = L::Future;

    fn poll_ready(&mut self, task: &mut Context<'_>) -> Poll<Result<(), L::Error>> {
        L::poll_ready(&mut self.inner, task)
    }

    fn call(&mut self, request: Req) -> L::Future {
        self.layer.call(&mut self.inner, request)
    }
}
