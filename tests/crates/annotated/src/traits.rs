//! Methods of traits.

use stormless::retry;

use crate::{client::Client, errors::OrderError};

/// A repository of orders.
pub trait Repository: Sync {
    /// How often a read is tried.
    const TRIES: u32 = 3;
    /// How it fails.
    type Error: From<OrderError>;

    /// Reads an order.
    fn read(&self, id: u64) -> impl Future<Output = Result<String, Self::Error>> + Send;

    /// Writes one.
    fn write(
        &mut self,
        id: u64,
        text: &str,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

impl Repository for Client {
    type Error = OrderError;

    #[retry(idempotent, budget = "orders")]
    async fn read(&self, id: u64) -> Result<String, Self::Error> {
        Ok(self.send(&format!("get {id}")).await?)
    }

    #[retry]
    async fn write(&mut self, id: u64, text: &str) -> Result<(), Self::Error> {
        self.tell(&format!("put {id} {text}")).await?;
        Ok(())
    }
}

/// What is the same for all caches, inside this crate.
pub(crate) trait Cache {
    const TRIES: u32;
    const PREFIX: &'static str;

    fn client(&self) -> &Client;

    #[retry(attempts = Self::TRIES, backoff = "decorrelated_jitter")]
    async fn get(&self, key: &str) -> Result<String, OrderError> {
        Ok(self.client().send(&format!("{}{key}", Self::PREFIX)).await?)
    }
}

struct Near<'a>(&'a Client);

impl Cache for Near<'_> {
    const TRIES: u32 = 2;
    const PREFIX: &'static str = "near/";

    fn client(&self) -> &Client {
        self.0
    }
}

struct Far<'a>(&'a Client);

impl Cache for Far<'_> {
    const TRIES: u32 = 4;
    const PREFIX: &'static str = "far/";

    fn client(&self) -> &Client {
        self.0
    }

    #[retry(budget = none)]
    async fn get(&self, key: &str) -> Result<String, OrderError> {
        Ok(self.0.send(key).await?)
    }
}

/// Asks one cache and then the other.
///
/// # Errors
///
/// The second one's.
pub async fn cached(client: &Client, key: &str) -> Result<String, OrderError> {
    match Near(client).get(key).await {
        Ok(found) => Ok(found),
        Err(_) => Far(client).get(key).await,
    }
}
