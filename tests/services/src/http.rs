//! A client of a REST API, on reqwest.

mod error;
mod files;
mod orders;
mod session;

use std::time::Duration;

pub use error::ApiError;
pub use orders::{Changes, NewOrder, Order, OrderQuery, Page};
use reqwest::{Client, RequestBuilder, Response};
pub use session::{Hits, Token, fetch_json};
use stormless::{Budget, Policy, RetryAfter, budget};
use tokio::sync::Mutex;

budget! {
    /// All that the orders API is asked again for is paid from here.
    pub static ORDERS_API: Budget = Budget::new("services.orders").burst(20).ratio(0.1);
}

/// Loopback answers at once: waits of a service would only slow the tests down.
const PATIENT: Policy =
    Policy::new().attempts(4).base(Duration::from_millis(1)).max(Duration::from_millis(5));

/// The API's client; cheap to share behind an `Arc`.
#[derive(Debug)]
pub struct ApiClient {
    http: Client,
    base: String,
    token: Mutex<Option<Token>>,
}

impl ApiClient {
    /// A client of the API at this address, such as `http://127.0.0.1:8080`.
    pub fn new(base: impl Into<String>) -> Result<Self, ApiError> {
        // One layer does the retrying, and it is not this one.
        let http = Client::builder().retry(reqwest::retry::never()).no_proxy().build()?;
        Ok(Self { http, base: base.into(), token: Mutex::new(None) })
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }
}

/// An answer that is no success becomes an error here, with what the server says about coming back.
async fn send(request: RequestBuilder) -> Result<Response, ApiError> {
    let response = request.send().await?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    Err(ApiError::Refused { status, wait: RetryAfter::from_headers(response.headers()) })
}
