//! A repository behind a trait, on tokio-postgres.

mod accounts;
mod error;
mod ledger;
mod outbox;
mod transaction;

use std::time::Duration;

pub use accounts::{Account, Accounts, Filter};
use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
pub use error::StoreError;
pub use ledger::PgAccounts;
pub use outbox::{Message, Outbox, PgOutbox};
use stormless::{Budget, Policy, budget};
use tokio_postgres::{Config, NoTls};
pub use transaction::Work;

budget! {
    /// All that the database is asked again for is paid from here.
    pub static DATABASE: Budget = Budget::new("services.database").burst(20).ratio(0.1);
}

/// A socket answers at once: waits of a service would only slow the tests down.
pub const PATIENT: Policy =
    Policy::new().attempts(4).base(Duration::from_millis(1)).max(Duration::from_millis(5));

/// The tables that the repositories work on.
pub const SCHEMA: &str = include_str!("postgres/schema.sql");

/// Connections to one database, handed out for as long as a statement or a transaction takes.
///
/// # Errors
///
/// Settings that cannot make a pool.
pub fn pool(database: Config, size: usize, wait: Duration) -> Result<Pool, StoreError> {
    // A connection that died in the pool is noticed there, not by a statement.
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Verified };
    Pool::builder(Manager::from_config(database, NoTls, recycling))
        .max_size(size)
        .wait_timeout(Some(wait))
        .runtime(Runtime::Tokio1)
        .build()
        .map_err(|_| StoreError::Misconfigured)
}
