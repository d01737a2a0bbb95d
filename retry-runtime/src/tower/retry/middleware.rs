//! The layer as a middleware of reqwest's clients.

use std::{
    future::Future,
    pin::Pin,
    sync::{Mutex, PoisonError},
    task::{Context, Poll},
};

use async_trait::async_trait;
use http::Extensions;
use reqwest::{Request, Response};
use reqwest_middleware::{Error, Middleware, Next, Result};
use tower_service::Service;

use super::{
    attempt::Requests,
    layer::RetryLayer,
    sending::{Cloning, Preparing},
};
use crate::run::{Adjusting, Awaited, Express, Hedging, Judging, Told, driver};

/// What comes after the middleware, as a service that is always ready.
///
/// Each attempt has the extensions that the call began with, so that none sees what another one left; what the
/// last one leaves is there for whoever called.
#[derive(Clone)]
struct Chain<'a> {
    next: Next<'a>,
    before: &'a Extensions,
    after: &'a Mutex<Option<Extensions>>,
}

impl<'a> Service<Request> for Chain<'a> {
    type Response = Response;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response>> + Send + 'a>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let Self { next, before, after } = self.clone();
        Box::pin(async move {
            let mut extensions = before.clone();
            let result = next.run(request, &mut extensions).await;
            *after.lock().unwrap_or_else(PoisonError::into_inner) = Some(extensions);
            result
        })
    }
}

macro_rules! middleware {
    ($form:ty) => {
        #[async_trait]
        impl<C, J, K, A, Q> Middleware for RetryLayer<Response, Error, $form, C, J, K, A, Q>
        where
            C: Express<Response, Error> + Clone + Send + Sync + 'static,
            C::Error: Into<Error>,
            J: Judging<Response, Error> + Clone + Send + Sync + 'static,
            K: Told<Error> + Clone + Send + Sync + 'static,
            A: Adjusting<Error> + Clone + Send + Sync + 'static,
            Q: Cloning<Request> + Preparing<Request> + Clone + Send + Sync + 'static,
        {
            async fn handle(
                &self,
                request: Request,
                extensions: &mut Extensions,
                next: Next<'_>,
            ) -> Result<Response> {
                let after = Mutex::new(None);
                let result = {
                    let chain = Chain { next, before: extensions, after: &after };
                    let setup = self.prepare(&request);
                    driver::<$form, _, _>(
                        Requests::new(chain, request, self.sending.clone()),
                        setup,
                    )
                    .await
                };
                if let Some(after) = after.into_inner().unwrap_or_else(PoisonError::into_inner) {
                    *extensions = after;
                }
                result.map_err(Into::into)
            }
        }
    };
}

middleware!(Awaited);
middleware!(Hedging);
