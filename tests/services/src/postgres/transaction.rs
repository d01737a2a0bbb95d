//! Transactions whose contents are the caller's.

use std::pin::Pin;

use deadpool_postgres::Transaction;
use stormless::retry;

use super::{DATABASE, PATIENT, PgAccounts, StoreError};

/// What a closure returns that works in a transaction.
pub type Work<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

impl PgAccounts {
    /// Does something in a transaction, and does it again if the transaction was rolled back.
    #[retry(policy = PATIENT, budget = DATABASE)]
    pub async fn in_transaction<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send,
        F: for<'a> Fn(&'a Transaction<'_>) -> Work<'a, T> + Send + Sync,
    {
        let mut client = self.pool.get().await?;
        let transaction = client.transaction().await?;
        let done = work(&transaction).await?;
        transaction.commit().await?;
        Ok(done)
    }
}
