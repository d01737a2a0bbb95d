//! One attempt: a service that is waited for until it is ready, and then called.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use pin_project_lite::pin_project;
use tower_service::Service;

use super::sending::Cloning;
use crate::run::{Operation, Turn};

/// What a call sends: one request, and once more for each attempt after the first.
///
/// Nothing is cloned that is not needed again: the last attempt that there can be has the request itself, and
/// the service.
#[derive(Debug)]
pub struct Requests<S, Req, Q> {
    service: Option<S>,
    /// `service` was waited for already.
    is_ready: bool,
    /// `None` once it was sent itself, and not a clone of it.
    request: Option<Req>,
    /// What the attempt that is about to start sends in its place.
    clone: Option<Req>,
    cloning: Q,
}

impl<S, Req, Q> Requests<S, Req, Q> {
    /// The service is ready.
    pub(super) const fn new(service: S, request: Req, cloning: Q) -> Self {
        Self {
            service: Some(service),
            is_ready: true,
            request: Some(request),
            clone: None,
            cloning,
        }
    }
}

impl<S, Req, Q> Operation for Requests<S, Req, Q>
where
    S: Service<Req> + Clone,
    Q: Cloning<Req>,
{
    type Output = Result<S::Response, S::Error>;
    type Body = Attempt<S, Req>;

    fn prepare(&mut self, turn: Turn) -> bool {
        let kept = self.request.as_ref().filter(|_| !turn.is_last());
        self.clone = kept.and_then(|request| self.cloning.clone_request(request));
        turn.is_last() || self.clone.is_some()
    }

    fn start(&mut self, _: Turn) -> Attempt<S, Req> {
        let request = self.clone.take().or_else(|| self.request.take());
        let service = self.service.take();
        if self.request.is_some() {
            // Nobody waits for this one: capacity that is reserved by waiting would be held through the pause.
            self.service.clone_from(&service);
        }
        let mut parts = service.zip(request);
        if std::mem::take(&mut self.is_ready) {
            if let Some((mut service, request)) = parts.take() {
                return Attempt { stage: Stage::Calling { future: service.call(request) } };
            }
        }
        Attempt { stage: Stage::Readying { parts } }
    }

    fn is_repeatable(&self) -> bool {
        self.request.is_some()
    }
}

pin_project! {
    /// The future of one attempt.
    #[must_use = "futures do nothing unless polled"]
    pub struct Attempt<S, Req>
    where
        S: Service<Req>,
    {
        #[pin]
        stage: Stage<S, Req>,
    }
}

pin_project! {
    #[project = StagePinned]
    enum Stage<S, Req>
    where
        S: Service<Req>,
    {
        /// Until the service is ready.
        Readying {
            // `None` for an operation that cannot be repeated, and which nobody starts.
            parts: Option<(S, Req)>,
        },
        /// The service was called.
        Calling {
            #[pin]
            future: S::Future,
        },
    }
}

impl<S: Service<Req>, Req> Attempt<S, Req> {
    /// Of a service that has to be waited for.
    pub(in crate::tower) const fn of(service: S, request: Req) -> Self {
        Self { stage: Stage::Readying { parts: Some((service, request)) } }
    }
}

impl<S, Req> Future for Attempt<S, Req>
where
    S: Service<Req>,
{
    type Output = Result<S::Response, S::Error>;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let mut stage = self.project().stage;
        loop {
            let parts = match stage.as_mut().project() {
                StagePinned::Calling { future } => return future.poll(task),
                StagePinned::Readying { parts } => parts,
            };
            if let Some((service, _)) = parts {
                ready!(service.poll_ready(task))?;
            }
            let Some((mut service, request)) = parts.take() else { return Poll::Pending };
            let future = service.call(request);
            stage.set(Stage::Calling { future });
        }
    }
}

impl<S: Service<Req>, Req> std::fmt::Debug for Attempt<S, Req> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let is_called = matches!(self.stage, Stage::Calling { .. });
        f.debug_struct("Attempt").field("is_called", &is_called).finish_non_exhaustive()
    }
}
