//! Functions whose error tells how often and why.

use std::io;

use stormless::{RetryError, retry};

use crate::{
    client::Client,
    errors::{Down, OrderError},
};

/// The usual form.
///
/// # Errors
///
/// The service's, with what the call did.
#[retry(deadline = "5s", attempt_timeout = "1s")]
pub async fn fetch(client: &Client, id: u64) -> Result<String, RetryError<OrderError>> {
    Ok(client.send(&format!("get {id}")).await?)
}

/// One attempt.
///
/// # Errors
///
/// The connection's, with what the call did.
#[retry(attempts = 1)]
pub async fn once(client: Client) -> Result<Client, RetryError<io::Error>> {
    client.tell("ping").await?;
    Ok(client)
}

/// Inside another one: the inner error is classified by what it holds.
///
/// # Errors
///
/// That it is down, twice wrapped.
#[retry(inner = "allow")]
pub async fn outer(client: &Client) -> Result<(), RetryError<RetryError<Down>>> {
    by_path::ping(client).await
}

/// A method.
#[derive(Debug)]
pub struct Account {
    /// Where it is kept.
    pub client: Client,
    /// Its number.
    pub number: u64,
}

impl Account {
    /// Changes the receiver.
    ///
    /// # Errors
    ///
    /// The service's, with what the call did.
    #[retry(clone(word), idempotent, idempotency_key = self.number)]
    pub async fn rename(&mut self, mut word: String) -> Result<u64, RetryError<OrderError>> {
        word.push('\n');
        self.number = self.client.send(&word).await?.trim().parse()?;
        Ok(self.number)
    }
}

/// Where `RetryError` is not imported.
pub mod by_path {
    use stormless::retry;

    use crate::{client::Client, errors::Down};

    /// An error that could not express a cut by itself.
    ///
    /// # Errors
    ///
    /// That it is down, with what the call did.
    #[retry(deadline = "1s")]
    pub async fn ping(client: &Client) -> Result<(), stormless::RetryError<Down>> {
        client.tell("ping").await.or(Err(Down))
    }
}
