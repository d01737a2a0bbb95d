//! What comes back, and what the attempts share.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use http::Extensions;
use migration::{Failure, ms};
use reqwest::{Client, Request, Response};
use reqwest_middleware::{ClientBuilder, Error, Middleware, Next};
use reqwest_retry::{RetryError, RetryTransientMiddleware, policies::ExponentialBackoff};
use stormless::{testing::isolated, tower::RetryLayer};

use crate::server::{OURS, ours, server, theirs};

#[tokio::test(start_paused = true)]
async fn the_last_response_comes_back_from_both() {
    isolated(async {
        let server = server(503);
        let there = theirs(&server).get("http://orders/7").send().await.unwrap();
        let here = ours(&server).get("http://orders/7").send().await.unwrap();
        assert_eq!((there.status().as_u16(), here.status().as_u16()), (503, 503));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn errors_are_wrapped_there_and_unchanged_here() {
    isolated(async {
        let server = server(0);
        let there = theirs(&server).get("http://orders/7").send().await.unwrap_err();
        let Error::Middleware(there) = there else { panic!("{there:?}") };
        assert!(matches!(there.downcast_ref(), Some(RetryError::Error(_))));

        let here = ours(&server).get("http://orders/7").send().await.unwrap_err();
        let Error::Middleware(here) = here else { panic!("{here:?}") };
        assert_eq!(here.downcast_ref(), Some(&Failure::Down));
    })
    .await;
}

/// Counts in the extensions, and keeps what it counted.
#[derive(Clone, Default)]
struct Counting(Arc<Mutex<Vec<u32>>>);

#[async_trait]
impl Middleware for Counting {
    async fn handle(
        &self,
        request: Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> reqwest_middleware::Result<Response> {
        let count = extensions.get::<u32>().map_or(1, |count| count + 1);
        extensions.insert(count);
        self.0.lock().unwrap().push(count);
        next.run(request, extensions).await
    }
}

#[tokio::test(start_paused = true)]
async fn extensions_are_shared_by_attempts_there_and_fresh_here() {
    isolated(async {
        let counted = Counting::default();
        let policy =
            ExponentialBackoff::builder().retry_bounds(ms(10), ms(10)).build_with_max_retries(2);
        let client = ClientBuilder::new(Client::new())
            .with(RetryTransientMiddleware::new_with_policy(policy))
            .with(counted.clone())
            .with(server(503))
            .build();
        let _ = client.get("http://orders/7").send().await;
        assert_eq!(*counted.0.lock().unwrap(), [1, 2, 3]);

        let counted = Counting::default();
        let client = ClientBuilder::new(Client::new())
            .with(RetryLayer::reqwest(OURS))
            .with(counted.clone())
            .with(server(503))
            .build();
        let _ = client.get("http://orders/7").send().await;
        assert_eq!(*counted.0.lock().unwrap(), [1, 1, 1]);
    })
    .await;
}
