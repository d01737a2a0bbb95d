//! The accounts in a database.

use async_trait::async_trait;
use deadpool_postgres::Pool;
use stormless::retry;
use tokio_postgres::{IsolationLevel, Row};
use tracing::instrument;

use super::{Account, Accounts, DATABASE, Filter, PATIENT, StoreError};

/// Accounts in a database.
#[derive(Clone, Debug)]
pub struct PgAccounts {
    pub(super) pool: Pool,
}

impl PgAccounts {
    /// Over connections from this pool.
    #[must_use]
    pub fn new(pool: Pool) -> Self {
        Self { pool }
    }
}

fn account(row: &Row) -> Result<Account, tokio_postgres::Error> {
    Ok(Account {
        id: row.try_get("id")?,
        owner: row.try_get("owner")?,
        balance: row.try_get("balance")?,
    })
}

#[async_trait]
impl Accounts for PgAccounts {
    #[retry(policy = PATIENT, budget = DATABASE, idempotent)]
    #[instrument(level = "debug", skip(self), err)]
    async fn find(&self, id: i64) -> Result<Option<Account>, StoreError> {
        let client = self.pool.get().await?;
        let found = "SELECT id, owner, balance FROM accounts WHERE id = $1";
        let row = client.query_opt(found, &[&id]).await?;
        Ok(row.as_ref().map(account).transpose()?)
    }

    #[retry(policy = PATIENT, budget = DATABASE, attempt_timeout = "2s", idempotent)]
    async fn list(&self, filter: Filter<'_>, limit: i64) -> Result<Vec<Account>, StoreError> {
        let client = self.pool.get().await?;
        let all = "SELECT id, owner, balance FROM accounts \
                   WHERE ($1::text IS NULL OR owner = $1) AND balance >= $2 ORDER BY id LIMIT $3";
        let rows = client.query(all, &[&filter.owner, &filter.at_least, &limit]).await?;
        Ok(rows.iter().map(account).collect::<Result<_, _>>()?)
    }

    /// Below its attribute, `instrument` has a span for each attempt.
    #[instrument(level = "debug", skip(self), ret)]
    #[retry(policy = PATIENT, budget = DATABASE, idempotent)]
    async fn exists(&self, id: i64) -> Result<bool, StoreError> {
        let client = self.pool.get().await?;
        let exists = "SELECT EXISTS (SELECT FROM accounts WHERE id = $1)";
        Ok(client.query_one(exists, &[&id]).await?.try_get(0)?)
    }

    #[retry(policy = PATIENT, budget = DATABASE, idempotent)]
    async fn count(&self, owner: &str) -> Result<u64, StoreError> {
        let client = self.pool.get().await?;
        let count = "SELECT count(*) FROM accounts WHERE owner = $1";
        let count: i64 = client.query_one(count, &[&owner]).await?.try_get(0)?;
        Ok(count.unsigned_abs())
    }

    /// A second insertion would say that the account exists, so a lost answer is the caller's to judge.
    #[retry(policy = PATIENT, budget = DATABASE, clone(account))]
    async fn insert(&self, account: Account) -> Result<(), StoreError> {
        let Account { id, owner, balance } = account;
        let client = self.pool.get().await?;
        let insert = "INSERT INTO accounts (id, owner, balance) VALUES ($1, $2, $3)";
        client.execute(insert, &[&id, &owner, &balance]).await?;
        Ok(())
    }

    #[retry(policy = PATIENT, budget = DATABASE, clone(accounts))]
    #[instrument(level = "debug", skip_all, fields(accounts = accounts.len()))]
    async fn insert_all(&self, accounts: Vec<Account>) -> Result<usize, StoreError> {
        let mut client = self.pool.get().await?;
        let transaction = client.transaction().await?;
        let insert = transaction
            .prepare("INSERT INTO accounts (id, owner, balance) VALUES ($1, $2, $3)")
            .await?;
        let mut inserted = 0;
        for Account { id, owner, balance } in accounts {
            transaction.execute(&insert, &[&id, &owner, &balance]).await?;
            inserted += 1;
        }
        transaction.commit().await?;
        Ok(inserted)
    }

    #[retry(policy = PATIENT, budget = DATABASE, idempotent)]
    async fn upsert(&self, account: &Account) -> Result<(), StoreError> {
        let client = self.pool.get().await?;
        let upsert = "INSERT INTO accounts (id, owner, balance) VALUES ($1, $2, $3) \
                      ON CONFLICT (id) DO UPDATE SET owner = $2, balance = $3";
        client.execute(upsert, &[&account.id, &account.owner, &account.balance]).await?;
        Ok(())
    }

    /// The version is read again in each attempt: that is what makes a repetition of a conflict useful.
    #[retry(policy = PATIENT, budget = DATABASE)]
    #[instrument(level = "debug", skip(self, owner))]
    async fn rename(&self, id: i64, owner: String) -> Result<(), StoreError> {
        let client = self.pool.get().await?;
        let version = "SELECT version FROM accounts WHERE id = $1";
        let row = client.query_opt(version, &[&id]).await?.ok_or(StoreError::NotFound { id })?;
        let version: i32 = row.try_get(0)?;
        let rename = "UPDATE accounts SET owner = $1, version = version + 1 \
                      WHERE id = $2 AND version = $3";
        match client.execute(rename, &[&owner, &id, &version]).await? {
            0 => Err(StoreError::Stale { id }),
            _ => Ok(()),
        }
    }

    #[retry(policy = PATIENT, budget = DATABASE, idempotent)]
    async fn delete(&self, id: i64) -> Result<bool, StoreError> {
        let client = self.pool.get().await?;
        let deleted = client.execute("DELETE FROM accounts WHERE id = $1", &[&id]).await?;
        // What an earlier attempt may have deleted was there.
        Ok(deleted > 0 || stormless::current().is_some_and(|attempt| attempt.is_retry()))
    }

    /// The transaction is the attempt's: one that fails is rolled back, and the next one sees what the
    /// winner has written.
    #[retry(policy = PATIENT, budget = DATABASE, deadline = "5s")]
    #[instrument(level = "debug", skip(self), err(Debug))]
    async fn transfer(&self, from: i64, to: i64, amount: i64) -> Result<(), StoreError> {
        let mut client = self.pool.get().await?;
        let transaction = client
            .build_transaction()
            .isolation_level(IsolationLevel::Serializable)
            .start()
            .await?;
        let balance = "SELECT balance FROM accounts WHERE id = $1";
        let row = transaction.query_opt(balance, &[&from]).await?;
        let balance: i64 = row.ok_or(StoreError::NotFound { id: from })?.try_get(0)?;
        if balance < amount {
            return Err(StoreError::Insufficient);
        }
        let add = "UPDATE accounts SET balance = balance + $1 WHERE id = $2";
        transaction.execute(add, &[&-amount, &from]).await?;
        if transaction.execute(add, &[&amount, &to]).await? == 0 {
            return Err(StoreError::NotFound { id: to });
        }
        Ok(transaction.commit().await?)
    }

    #[retry(policy = PATIENT, budget = DATABASE)]
    async fn pay_interest(&self, id: i64, percent: i64) -> Result<i64, StoreError> {
        let mut client = self.pool.get().await?;
        let transaction = client.transaction().await?;
        // Given back when the transaction ends, whichever way it does.
        let lock = transaction.query_one("SELECT pg_try_advisory_xact_lock($1)", &[&id]).await?;
        if !lock.try_get::<_, bool>(0)? {
            return Err(StoreError::Locked);
        }
        let pay = "UPDATE accounts SET balance = balance + balance * $1 / 100 \
                   WHERE id = $2 RETURNING balance";
        let paid = transaction.query_opt(pay, &[&percent, &id]).await?;
        let balance = paid.ok_or(StoreError::NotFound { id })?.try_get(0)?;
        transaction.commit().await?;
        Ok(balance)
    }
}
