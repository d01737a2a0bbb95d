//! A client of a gRPC service, on tonic.

mod error;
mod free;
mod session;
mod warehouse;

/// Messages, client and server of `proto/warehouse.proto`.
#[allow(missing_docs, clippy::pedantic, reason = "generated")]
#[path = "grpc/generated.rs"]
pub mod generated;

use std::time::Duration;

pub use error::WarehouseError;
pub use free::{adjust_stock, any_stock, reserve_all, stock_of};
pub use session::Session;
use stormless::{Budget, Policy, budget, current, deadline};
use tonic::{Request, metadata::AsciiMetadataValue};
pub use warehouse::WarehouseApi;

budget! {
    /// All that the warehouse is asked again for is paid from here.
    pub static WAREHOUSE: Budget = Budget::new("services.warehouse").burst(20).ratio(0.1);
}

/// Loopback answers at once: waits of a service would only slow the tests down.
static PATIENT: Policy =
    Policy::new().attempts(4).base(Duration::from_millis(1)).max(Duration::from_millis(5));

/// What every request carries: the time that is left to answer it, and a key by which the server knows
/// a repetition.
fn request<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    if let Some(left) = deadline::remaining() {
        request.set_timeout(left);
    }
    let key = current().map(|attempt| attempt.idempotency_key().to_string());
    if let Some(Ok(key)) = key.map(AsciiMetadataValue::try_from) {
        request.metadata_mut().insert("idempotency-key", key);
    }
    request
}
