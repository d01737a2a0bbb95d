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
use crate::run::{Adjusting, Express, Judging, Mode, Rules, Setup, Told, driver};

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
    pub const fn get_ref(&self) -> &S {
        &self.inner
    }

    /// The service inside.
    pub const fn get_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    /// The service inside.
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

impl<S, Req, T, E, M, C, J, K, A, Q> Service<Req>
    for RetryService<S, RetryLayer<T, E, M, C, J, K, A, Q>>
where
    S: Service<Req, Response = T, Error = E> + Clone,
    M: Mode<Requests<S, Req, Q>>,
    M::Driver<Rules<C, J, K, A>>: Future<Output = Result<T, C::Error>>,
    C: Express<T, E> + Clone,
    J: Judging<T, E> + Clone,
    K: Told<E> + Clone,
    A: Adjusting<E> + Clone,
    Q: Cloning<Req> + Preparing<Req> + Clone,
{
    type Response = T;
    type Error = C::Error;
    type Future = M::Driver<Rules<C, J, K, A>>;

    fn poll_ready(&mut self, task: &mut Context<'_>) -> Poll<Result<(), C::Error>> {
        self.inner.poll_ready(task).map_err(C::unready)
    }

    fn call(&mut self, request: Req) -> Self::Future {
        let setup = self.layer.prepare(&request);
        // The service that is ready. The one that takes its place has to be waited for.
        let waiting = self.inner.clone();
        let ready = mem::replace(&mut self.inner, waiting);
        driver::<M, _, _>(Requests::new(ready, request, self.layer.sending.clone()), setup)
    }
}
