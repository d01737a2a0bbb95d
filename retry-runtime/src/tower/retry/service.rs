//! The service, whose calls are driven as those of closures are.

use std::{
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
use crate::{
    Policy,
    run::{
        Adjusting, Awaited, Drive, Express, HedgedDrive, Hedging, Judging, Rules, Settings, Told,
    },
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

impl<S: Clone, L> RetryService<S, L> {
    /// The service that is ready. The one that takes its place has to be waited for.
    fn take_ready(&mut self) -> S {
        let waiting = self.inner.clone();
        mem::replace(&mut self.inner, waiting)
    }
}

impl<T, E, M, C, J, K, A, Q> RetryLayer<T, E, M, C, J, K, A, Q> {
    /// What one request's call brings along.
    pub(super) fn prepare<Req>(&self, request: &Req) -> (Policy, Settings)
    where
        Q: Preparing<Req>,
    {
        let mut call = PerRequest::new(self.setup.policy, self.setup.settings.clone());
        self.sending.prepare(request, &mut call);
        call.into_parts()
    }
}

impl<S, Req, T, E, C, J, K, A, Q> Service<Req>
    for RetryService<S, RetryLayer<T, E, Awaited, C, J, K, A, Q>>
where
    S: Service<Req, Response = T, Error = E> + Clone,
    C: Express<T, E> + Clone,
    J: Judging<T, E> + Clone,
    K: Told<E> + Clone,
    A: Adjusting<E> + Clone,
    Q: Cloning<Req> + Preparing<Req> + Clone,
{
    type Response = T;
    type Error = C::Error;
    type Future = Drive<Requests<S, Req, Q>, Rules<C, J, K, A>>;

    fn poll_ready(&mut self, task: &mut Context<'_>) -> Poll<Result<(), C::Error>> {
        self.inner.poll_ready(task).map_err(C::unready)
    }

    fn call(&mut self, request: Req) -> Self::Future {
        let service = self.take_ready();
        let layer = &self.layer;
        let (policy, settings) = layer.prepare(&request);
        let requests = Requests::new(service, request, layer.sending.clone());
        Drive::new(requests, policy, settings, layer.setup.rules.clone())
    }
}

impl<S, Req, T, E, C, J, K, A, Q> Service<Req>
    for RetryService<S, RetryLayer<T, E, Hedging, C, J, K, A, Q>>
where
    S: Service<Req, Response = T, Error = E> + Clone,
    C: Express<T, E> + Clone,
    J: Judging<T, E> + Clone,
    K: Told<E> + Clone,
    A: Adjusting<E> + Clone,
    Q: Cloning<Req> + Preparing<Req> + Clone,
{
    type Response = T;
    type Error = C::Error;
    type Future = HedgedDrive<Requests<S, Req, Q>, Rules<C, J, K, A>>;

    fn poll_ready(&mut self, task: &mut Context<'_>) -> Poll<Result<(), C::Error>> {
        self.inner.poll_ready(task).map_err(C::unready)
    }

    fn call(&mut self, request: Req) -> Self::Future {
        let service = self.take_ready();
        let layer = &self.layer;
        let (policy, settings) = layer.prepare(&request);
        let requests = Requests::new(service, request, layer.sending.clone());
        HedgedDrive::new(requests, policy, settings, layer.setup.rules.clone())
    }
}
