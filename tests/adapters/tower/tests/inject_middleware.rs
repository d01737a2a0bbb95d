//! `InjectLayer` as a middleware of reqwest's clients, before a service that retries by itself.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use adapters_tower::Failure;
use async_trait::async_trait;
use http::Extensions;
use reqwest::{Body, Client, Request, Response};
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware, Middleware, Next};
use stormless::{
    Backoff, Policy, retry,
    testing::isolated,
    tower::{InjectLayer, RetryLayer, ServerLayer},
    wire::Inject,
};
use tower::{Layer, ServiceExt, service_fn};

const POLICY: Policy =
    Policy::new().backoff(Backoff::Fixed).base(Duration::from_millis(1)).attempts(3);

#[retry(attempts = 3, base = "1ms", budget = none)]
async fn read_store(calls: &AtomicU32) -> Result<(), Failure> {
    calls.fetch_add(1, Ordering::Relaxed);
    Err(Failure::Unavailable)
}

/// The service, which is reached without a network; and how often its store was read.
#[derive(Clone, Default)]
struct Service(Arc<AtomicU32>);

#[async_trait]
impl Middleware for Service {
    async fn handle(
        &self,
        request: Request,
        _: &mut Extensions,
        _: Next<'_>,
    ) -> reqwest_middleware::Result<Response> {
        let calls = self.0.clone();
        let handler = service_fn(move |_: http::Request<Body>| {
            let calls = calls.clone();
            async move {
                let code = if read_store(&calls).await.is_ok() { 200 } else { 503 };
                let mut response = http::Response::new(String::new());
                *response.status_mut() = http::StatusCode::from_u16(code).unwrap();
                Ok::<_, Infallible>(response)
            }
        });
        let request = http::Request::try_from(request)?;
        let answer = ServerLayer::trusting_all().layer(handler).oneshot(request);
        // A task knows of its caller what the request says, as another process does.
        let Ok(response) = tokio::spawn(answer).await.unwrap();
        Ok(response.into())
    }
}

impl Service {
    fn reads(&self) -> u32 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

async fn get(client: &ClientWithMiddleware) -> u16 {
    client.get("http://orders/7").send().await.unwrap().status().as_u16()
}

#[tokio::test(start_paused = true)]
async fn inside_the_retry_layer_it_makes_three_calls_of_nine() {
    isolated(async {
        let service = Service::default();
        let with = ClientBuilder::new(Client::new())
            .with(RetryLayer::reqwest(POLICY))
            .with(InjectLayer::new())
            .with(service.clone())
            .build();
        assert_eq!((get(&with).await, service.reads()), (503, 3));

        let without = ClientBuilder::new(Client::new())
            .with(RetryLayer::reqwest(POLICY))
            .with(service.clone())
            .build();
        assert_eq!((get(&without).await, service.reads()), (503, 9));
        // A builder is read before the layer's call has begun.
        let request =
            stormless::reqwest::inject(Client::new().get("http://orders/7"), Inject::new());
        let answer = without.execute(request.build().unwrap()).await.unwrap();
        assert_eq!((answer.status().as_u16(), service.reads()), (503, 9));
    })
    .await;
}
