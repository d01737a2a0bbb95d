//! A cache and a lock, on redis.

mod cache;
mod error;
mod hashes;
mod lock;

use std::time::Duration;

pub use cache::Cache;
pub use error::CacheError;
pub use lock::{Lock, acquire, held_by, ping};
use redis::{
    Client,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use stormless::{Budget, Policy, budget};

budget! {
    /// All that the cache is asked again for is paid from here.
    pub static CACHE: Budget = Budget::new("services.cache").burst(20).ratio(0.1);
}

/// Loopback answers at once: waits of a service would only slow the tests down.
const PATIENT: Policy =
    Policy::new().attempts(4).base(Duration::from_millis(1)).max(Duration::from_millis(5));

/// What everything here returns.
pub type CacheResult<T> = Result<T, CacheError>;

/// A connection that comes back after it was lost. One layer does the retrying, and it is not this one.
///
/// # Errors
///
/// The server cannot be reached.
pub async fn connect(client: Client) -> Result<ConnectionManager, CacheError> {
    let config = ConnectionManagerConfig::new()
        .set_number_of_retries(0)
        .set_response_timeout(Some(Duration::from_secs(2)));
    Ok(client.get_connection_manager_with_config(config).await?)
}
