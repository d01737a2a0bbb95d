//! Retries as a middleware of an HTTP client, with an answer from memory in place of the network.

use std::{hint::black_box, pin::Pin, time::Duration};

use reqwest::{Client, Request, Response, Url};
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware, Next};
use reqwest_retry::{Jitter, RetryTransientMiddleware, policies::ExponentialBackoff};

use super::{Subject, subject};
use crate::work::work;

/// Everything in this file, in the order of the tables.
pub(super) const ALL: [Subject; 2] = [BARE, RETRY];

/// What a middleware costs without one that retries: the requests and answers of HTTP are made in both.
const BARE: Subject = Subject {
    bare: "reqwest-middleware",
    hand: None,
    ..subject!(
        "reqwest-middleware", Some("reqwest-middleware"),
        let (client, request) = (canned(false), request());
        |_input| call(&client, &request)
    )
};

const RETRY: Subject = Subject {
    bare: "reqwest-middleware",
    hand: None,
    ..subject!(
        "reqwest-middleware, reqwest-retry", Some("reqwest-retry"),
        let (client, request) = (canned(true), request());
        |_input| call(&client, &request)
    )
};

/// Answers without a network; a middleware, as that is what such clients let others put in.
fn answer<'a>(
    _: Request,
    _: &'a mut http::Extensions,
    _: Next<'a>,
) -> Pin<Box<dyn Future<Output = reqwest_middleware::Result<Response>> + Send + 'a>> {
    Box::pin(async {
        let status = if work(black_box(200)).is_ok() { 200 } else { 503 };
        let response = http::Response::builder().status(status).body("");
        Ok(response.expect("a status in range").into())
    })
}

fn canned(retries: bool) -> ClientWithMiddleware {
    let client = ClientBuilder::new(Client::new());
    let client = if retries {
        let policy = ExponentialBackoff::builder()
            .retry_bounds(Duration::from_millis(50), Duration::from_secs(20))
            .jitter(Jitter::Full)
            .build_with_max_retries(2);
        client.with(RetryTransientMiddleware::new_with_policy(policy))
    } else {
        client
    };
    client.with(answer).build()
}

fn request() -> Request {
    let url = Url::parse("http://localhost/").expect("a URL");
    Request::new(reqwest::Method::GET, url)
}

async fn call(client: &ClientWithMiddleware, request: &Request) -> reqwest_middleware::Result<u64> {
    let request = request.try_clone().expect("a request without a body");
    Ok(client.execute(request).await?.status().as_u16().into())
}
