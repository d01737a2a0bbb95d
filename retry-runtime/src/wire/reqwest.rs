//! Requests of reqwest.

use http::HeaderMap;
use reqwest::RequestBuilder;

use super::Inject;

/// Writes to a request what `what` is about: call it within the attempt, right before the request is sent.
///
/// A [`reqwest::Request`] has `headers_mut()`, a carrier like any other: `Inject::new().write(…)`.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{reqwest::inject, wire::Inject};
///
/// async fn fetch(client: &reqwest::Client) -> reqwest::Result<String> {
///     let request = client.get("http://orders/7");
///     inject(request, Inject::new().idempotency_key()).send().await?.text().await
/// }
/// ```
pub fn inject(request: RequestBuilder, what: Inject) -> RequestBuilder {
    let mut headers = HeaderMap::new();
    what.write(&mut headers);
    request.headers(headers)
}
