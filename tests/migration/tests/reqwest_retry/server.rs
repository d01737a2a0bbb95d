//! A middleware that answers in place of a server, and clients of it.

use async_trait::async_trait;
use http::Extensions;
use migration::{Calls, Failure, ms};
use reqwest::{Client, Request, Response};
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware, Error, Middleware, Next};
use reqwest_retry::{Jitter, RetryTransientMiddleware, policies::ExponentialBackoff};
use stormless::{Backoff, Policy, tower::RetryLayer};

pub(crate) const OURS: Policy = Policy::new().backoff(Backoff::Fixed).base(ms(10)).attempts(3);

/// Answers every request with one status, and counts them.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<u32>,
    pub(crate) calls: Calls,
}

#[async_trait]
impl Middleware for Server {
    async fn handle(
        &self,
        _: Request,
        _: &mut Extensions,
        _: Next<'_>,
    ) -> reqwest_middleware::Result<Response> {
        let _ = self.calls.fail(Failure::Down);
        if self.status == 0 {
            return Err(Error::middleware(Failure::Down));
        }
        let mut response = http::Response::builder().status(self.status);
        if let Some(seconds) = self.retry_after {
            response = response.header("retry-after", seconds);
        }
        Ok(response.body("").unwrap().into())
    }
}

pub(crate) fn server(status: u16) -> Server {
    Server { status, retry_after: None, calls: Calls::default() }
}

pub(crate) fn theirs(server: &Server) -> ClientWithMiddleware {
    let policy = ExponentialBackoff::builder()
        .retry_bounds(ms(10), ms(10))
        .jitter(Jitter::None)
        .build_with_max_retries(2);
    ClientBuilder::new(Client::new())
        .with(RetryTransientMiddleware::new_with_policy(policy))
        .with(server.clone())
        .build()
}

pub(crate) fn ours(server: &Server) -> ClientWithMiddleware {
    ClientBuilder::new(Client::new())
        .with(RetryLayer::reqwest(OURS).named("migrated"))
        .with(server.clone())
        .build()
}
