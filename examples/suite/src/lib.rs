//! A client of a shop's warehouse, as small as one can be: what it retries is tested in `tests`.

use std::{future::Future, time::Duration};

use stormless::{Breaker, Budget, Retryable, breaker, budget, retry};

budget! {
    /// Retries towards the warehouse: ten to begin with, then a tenth of one for each answer.
    pub static WAREHOUSE: Budget = Budget::new("warehouse").burst(10).ratio(0.1);
}

breaker! {
    /// Five failures in a row, and the warehouse is left alone for ten seconds.
    pub static SICK: Breaker =
        Breaker::new("warehouse").consecutive(5).open_for(Duration::from_secs(10)).jitter(0.0);
}

/// What the warehouse, or the way to it, says.
#[derive(Debug, thiserror::Error, Retryable)]
pub enum WarehouseError {
    /// It was not reached.
    #[error("the warehouse is unavailable")]
    #[retryable(transient)]
    Unavailable,
    /// It has too much to do.
    #[error("the warehouse is busy")]
    #[retryable(throttled, retry_after = wait)]
    Busy {
        /// What it asks for.
        wait: Option<Duration>,
    },
    /// The answer was lost, and nobody knows what was done.
    #[error("the answer was lost")]
    #[retryable(transient, maybe_executed)]
    Lost,
    /// There is no such thing.
    #[error("there is no such item")]
    #[retryable(permanent, executed)]
    Unknown,
    /// It took too long.
    #[error("out of time")]
    #[retryable(deadline_exceeded)]
    OutOfTime,
    /// It is left alone.
    #[error("the warehouse is left alone")]
    #[retryable(breaker_open)]
    LeftAlone,
}

/// The way to the warehouse: a client of HTTP in the service, and a script in the tests.
pub trait Transport {
    /// How many there are of an item.
    fn stock(&self, item: u32) -> impl Future<Output = Result<u32, WarehouseError>>;

    /// Takes one.
    fn reserve(&self, item: u32) -> impl Future<Output = Result<(), WarehouseError>>;
}

/// How many there are of an item. Reading twice is harmless.
///
/// # Errors
///
/// What the warehouse says last.
#[retry(attempts = 3, base = "50ms", max = "1s", budget = WAREHOUSE, deadline = "2s", idempotent, name = "warehouse.stock")]
pub async fn stock(warehouse: &impl Transport, item: u32) -> Result<u32, WarehouseError> {
    warehouse.stock(item).await
}

/// Takes one. What may have been done is not done again.
///
/// # Errors
///
/// What the warehouse says last.
#[retry(attempts = 3, base = "50ms", max = "1s", budget = WAREHOUSE, breaker = SICK, name = "warehouse.reserve")]
pub async fn reserve(warehouse: &impl Transport, item: u32) -> Result<(), WarehouseError> {
    warehouse.reserve(item).await
}

/// Takes one if there is one.
///
/// # Errors
///
/// What the warehouse says last.
pub async fn order(warehouse: &impl Transport, item: u32) -> Result<bool, WarehouseError> {
    if stock(warehouse, item).await? == 0 {
        return Ok(false);
    }
    reserve(warehouse, item).await?;
    Ok(true)
}
