//! An outbox on a connection of its own: tokio-postgres wants `&mut` for a transaction, and so do these
//! methods.

use async_trait::async_trait;
use stormless::{Policy, retry};
use tokio_postgres::Client;

use super::{DATABASE, PATIENT, StoreError};

/// What somebody else is to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// About what.
    pub topic: String,
    /// What.
    pub body: String,
}

/// Messages that wait to be sent.
#[async_trait]
pub trait Outbox: Send {
    /// Adds a message; its number.
    async fn push(&mut self, message: Message) -> Result<i64, StoreError>;

    /// Takes out the oldest messages.
    async fn take(&mut self, limit: i64) -> Result<Vec<Message>, StoreError>;

    /// Takes out one message, or none if there is none.
    #[retry(policy = PATIENT, budget = DATABASE)]
    async fn take_one(&mut self) -> Result<Option<Message>, StoreError> {
        Ok(self.take(1).await?.pop())
    }
}

/// An outbox in a database, as patient as its owner wants it.
#[derive(Debug)]
pub struct PgOutbox {
    client: Client,
    policy: Policy,
    repeated: u32,
}

impl PgOutbox {
    /// Over this connection.
    pub fn new(client: Client, policy: Policy) -> Self {
        Self { client, policy, repeated: 0 }
    }

    /// How many transactions were repeated.
    #[must_use]
    pub fn repeated(&self) -> u32 {
        self.repeated
    }
}

#[async_trait]
impl Outbox for PgOutbox {
    #[retry(
        policy = self.policy,
        budget = DATABASE,
        on_retry = |_| self.repeated += 1,
        clone(message)
    )]
    async fn push(&mut self, message: Message) -> Result<i64, StoreError> {
        let Message { topic, body } = message;
        let transaction = self.client.transaction().await?;
        let push = "INSERT INTO outbox (topic, body) VALUES ($1, $2) RETURNING id";
        let id = transaction.query_one(push, &[&topic, &body]).await?.try_get(0)?;
        transaction.execute("SELECT pg_notify('outbox', $1)", &[&topic]).await?;
        transaction.commit().await?;
        Ok(id)
    }

    #[retry(policy = self.policy, budget = DATABASE, on_retry = |_| self.repeated += 1)]
    async fn take(&mut self, limit: i64) -> Result<Vec<Message>, StoreError> {
        let transaction = self.client.transaction().await?;
        let oldest = "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT $1 \
                      FOR UPDATE SKIP LOCKED) RETURNING topic, body";
        let mut taken = Vec::new();
        for row in transaction.query(oldest, &[&limit]).await? {
            taken.push(Message { topic: row.try_get(0)?, body: row.try_get(1)? });
        }
        transaction.commit().await?;
        Ok(taken)
    }
}
