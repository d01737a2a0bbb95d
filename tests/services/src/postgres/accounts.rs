//! What the rest of a service knows of the accounts: a trait, so that it can be tested without a database.

use async_trait::async_trait;
use stormless::retry;

use super::{DATABASE, PATIENT, StoreError};

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Given by the caller.
    pub id: i64,
    /// Whose it is.
    pub owner: String,
    /// What is on it; never negative.
    pub balance: i64,
}

/// Which accounts to list.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'a> {
    /// Only this owner's.
    pub owner: Option<&'a str>,
    /// Only those with at least this much on them.
    pub at_least: i64,
}

/// Accounts, wherever they are kept.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// An account that may exist.
    async fn find(&self, id: i64) -> Result<Option<Account>, StoreError>;

    /// Accounts that match, by number.
    async fn list(&self, filter: Filter<'_>, limit: i64) -> Result<Vec<Account>, StoreError>;

    /// Whether there is such an account.
    async fn exists(&self, id: i64) -> Result<bool, StoreError>;

    /// How many accounts somebody has.
    async fn count(&self, owner: &str) -> Result<u64, StoreError>;

    /// A new account.
    async fn insert(&self, account: Account) -> Result<(), StoreError>;

    /// New accounts: all of them or none. Tells how many.
    async fn insert_all(&self, accounts: Vec<Account>) -> Result<usize, StoreError>;

    /// A new account, or new contents of an old one.
    async fn upsert(&self, account: &Account) -> Result<(), StoreError>;

    /// Another owner, unless somebody else changes the account at the same time.
    async fn rename(&self, id: i64, owner: String) -> Result<(), StoreError>;

    /// Removes an account; whether there was one.
    async fn delete(&self, id: i64) -> Result<bool, StoreError>;

    /// Moves money, in one transaction.
    async fn transfer(&self, from: i64, to: i64, amount: i64) -> Result<(), StoreError>;

    /// Pays interest, while nobody else does.
    async fn pay_interest(&self, id: i64, percent: i64) -> Result<i64, StoreError>;

    /// An account that must exist. What is called here does not retry: this method does.
    #[retry(policy = PATIENT, budget = DATABASE, idempotent)]
    async fn get(&self, id: i64) -> Result<Account, StoreError> {
        self.find(id).await?.ok_or(StoreError::NotFound { id })
    }

    /// What somebody has in all.
    #[retry(policy = PATIENT, budget = DATABASE, clone(owner), idempotent)]
    async fn wealth(&self, owner: String) -> Result<i64, StoreError> {
        let owned = Filter { owner: Some(owner.as_str()), at_least: 1 };
        let accounts = self.list(owned, i64::MAX).await?;
        drop(owner);
        Ok(accounts.iter().map(|account| account.balance).sum())
    }
}
