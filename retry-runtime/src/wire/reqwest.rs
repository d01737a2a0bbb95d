//! Requests of reqwest.

use std::cell::Cell;

use http::{HeaderName, HeaderValue};
use reqwest::RequestBuilder;

use super::Inject;

/// Writes to a request what `what` is about: call it within the attempt, right before the request is sent.
///
/// What the request has already counts as with [`Inject::write`]: a key stays, and a time is only made
/// shorter. A builder that has failed stays as it is, and says so when it is sent.
///
/// It tells of the attempt that runs *here*. A retry layer's call begins later, when the request is sent: there,
/// put an `InjectLayer` inside the layer.
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
    let asked = Cell::new(false);
    let request = request.header(Probe(&asked), HeaderValue::from_static(""));
    if !asked.get() {
        return request;
    }
    let (client, request) = request.build_split();
    let Ok(mut request) = request else {
        // Not reached: the probe is a valid field. It fails when it is sent, as that one would have.
        return client.get("");
    };
    request.headers_mut().remove(PROBE);
    what.write(request.headers_mut());
    RequestBuilder::from_parts(client, request)
}

const PROBE: &str = "stormless-probe";

/// A name that a builder asks for only if it has not failed: nothing else tells that without giving up its
/// error, which no other builder can be given.
struct Probe<'a>(&'a Cell<bool>);

impl From<Probe<'_>> for HeaderName {
    fn from(Probe(asked): Probe<'_>) -> Self {
        asked.set(true);
        Self::from_static(PROBE)
    }
}
