//! Functions that return a future, written out or made by other attributes.

use std::pin::Pin;

use async_trait::async_trait;
use stormless::retry;
use tracing::instrument;

use crate::{client::Client, errors::OrderError};

type Answer<T> = Result<T, OrderError>;
type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A boxed one.
#[must_use]
#[retry]
pub fn boxed(client: &Client) -> Pin<Box<dyn Future<Output = Answer<String>> + Send + '_>> {
    Box::pin(async move { Ok(client.send("list").await?) })
}

/// A boxed one behind an alias, with statements that run once.
#[retry(idempotent)]
#[must_use]
pub fn alias(client: &Client, id: u64) -> Boxed<'_, Answer<String>> {
    let line = format!("get {id}");
    Box::pin(async move {
        client.tell("ping").await?;
        Ok(client.send(&line).await?)
    })
}

/// One without a name for its type, and an argument that is consumed.
///
/// # Errors
///
/// The service's.
#[retry(clone(line))]
pub fn unnamed(client: &Client, line: String) -> impl Future<Output = Answer<String>> + Send {
    let owned = client.clone();
    async move {
        owned.tell(&line).await?;
        Ok(line)
    }
}

/// What a cache can do.
#[async_trait]
pub trait Cache: Sync {
    /// Reads an entry.
    async fn read(&self, key: &str) -> Answer<String>;

    /// Writes one.
    async fn write(&mut self, key: &str, value: String) -> Answer<String>;

    /// Reads two.
    #[retry(attempts = 2)]
    async fn both(&self, left: &str, right: &str) -> Answer<(String, String)> {
        Ok((self.read(left).await?, self.read(right).await?))
    }
}

#[async_trait]
impl Cache for Client {
    #[retry]
    async fn read(&self, key: &str) -> Answer<String> {
        Ok(self.send(key).await?)
    }

    #[retry(clone(value))]
    async fn write(&mut self, key: &str, mut value: String) -> Answer<String> {
        value.push_str(key);
        self.tell(&value).await?;
        Ok(value)
    }
}

/// One span for all attempts.
///
/// # Errors
///
/// The service's.
#[retry]
#[instrument(skip(client))]
pub async fn in_one_span(client: &Client, id: u64) -> Answer<String> {
    Ok(client.send(&format!("get {id}")).await?)
}

/// One span for each attempt.
///
/// # Errors
///
/// The service's.
#[instrument(skip_all, fields(id))]
#[retry]
pub async fn in_many_spans(client: &Client, id: u64) -> Answer<String> {
    Ok(client.send(&format!("get {id}")).await?)
}
