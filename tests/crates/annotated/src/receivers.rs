//! Methods: every way to take `self`.

use std::{pin::Pin, sync::Arc};

use stormless::retry;

use crate::{client::Client, errors::OrderError};

/// A store of orders, with what it has seen.
#[derive(Clone, Debug)]
pub struct Store {
    client: Client,
    last: String,
    sent: u64,
}

impl Store {
    /// A store that has seen nothing.
    ///
    /// # Errors
    ///
    /// The service's.
    #[retry(clone(client))]
    pub async fn open(client: Client) -> Result<Self, OrderError> {
        client.tell("open").await?;
        Ok(Self { client, last: String::new(), sent: 0 })
    }

    /// By reference.
    ///
    /// # Errors
    ///
    /// The service's.
    #[retry]
    pub async fn fetch(&self, id: u64) -> Result<String, OrderError> {
        Ok(self.client.send(&format!("get {id}")).await?)
    }

    /// By reference, and so is what it returns.
    ///
    /// # Errors
    ///
    /// The service's.
    #[retry]
    pub async fn last(&self) -> Result<&str, OrderError> {
        self.client.tell("ping").await?;
        Ok(&self.last)
    }

    /// By exclusive reference.
    ///
    /// # Errors
    ///
    /// The service's.
    #[retry(idempotent = self.sent > 0)]
    pub async fn send(&mut self, line: &str) -> Result<u64, OrderError> {
        self.sent += 1;
        self.last = self.client.send(line).await?;
        Ok(self.sent)
    }

    /// By value, which the body borrows.
    ///
    /// # Errors
    ///
    /// The service's.
    #[retry]
    pub async fn close(self) -> Result<(), OrderError> {
        self.client.tell("close").await?;
        Ok(())
    }

    /// By value, changed and consumed by the only attempt.
    ///
    /// # Errors
    ///
    /// The service's.
    #[retry(attempts = 1)]
    pub async fn renewed(mut self) -> Result<Self, OrderError> {
        self.last = self.client.send("renew").await?;
        Ok(self)
    }

    /// By exclusive reference, of which the only attempt returns a part.
    ///
    /// # Errors
    ///
    /// The service's.
    #[retry(attempts = 1)]
    pub async fn buffer(&mut self) -> Result<&mut String, OrderError> {
        self.last = self.client.send("ping").await?;
        Ok(&mut self.last)
    }

    /// Shared.
    ///
    /// # Errors
    ///
    /// The service's.
    #[retry]
    pub async fn shared(self: Arc<Self>) -> Result<u64, OrderError> {
        self.client.tell("ping").await?;
        Ok(self.sent)
    }

    /// Shared, by reference.
    ///
    /// # Errors
    ///
    /// The service's.
    #[retry]
    pub async fn lent(self: &Arc<Self>) -> Result<Arc<Self>, OrderError> {
        self.client.tell("ping").await?;
        Ok(Arc::clone(self))
    }

    /// Boxed.
    ///
    /// # Errors
    ///
    /// The service's.
    #[retry]
    pub async fn boxed(self: Box<Self>) -> Result<u64, OrderError> {
        self.client.tell("ping").await?;
        Ok(self.sent)
    }

    /// Pinned.
    ///
    /// # Errors
    ///
    /// The service's.
    #[retry]
    pub async fn pinned(mut self: Pin<&mut Self>) -> Result<u64, OrderError> {
        self.as_mut().get_mut().sent += 1;
        self.client.tell("ping").await?;
        Ok(self.sent)
    }
}
