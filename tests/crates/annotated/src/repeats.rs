//! What may be repeated, calls within calls, and looking on.

use std::{io, num::ParseIntError, sync::Arc};

use stormless::{Classification, RetryEvent, current, retry};
use tokio::task::yield_now;

use crate::{
    client::Client,
    errors::{Down, OrderError, Refused},
};

/// stormless by way of another module.
pub mod platform {
    pub use stormless::*;
}

const fn never(_: &ParseIntError) -> Classification {
    Classification::permanent()
}

fn tell<E>(event: &RetryEvent<'_, E>) {
    eprintln!("{} failed, again in {:?}", event.site(), event.delay());
}

/// A function classifies a foreign error.
///
/// # Errors
///
/// That it is no number.
#[retry(classify = never)]
pub async fn parse(text: &str) -> Result<u32, ParseIntError> {
    yield_now().await;
    text.trim().parse()
}

/// A closure classifies a value that is a failure.
///
/// # Errors
///
/// The connection's.
#[retry(classify_result = |result| match result {
    Ok(status) if *status >= 400 => Some(Classification::from_status(*status)),
    _ => None,
})]
pub async fn status(client: &Client) -> io::Result<u16> {
    client.send("status").await?.trim().parse().map_err(io::Error::other)
}

/// Each attempt sends the same key.
///
/// # Errors
///
/// The service's.
#[retry(idempotent, idempotency_key = order, budget = "orders")]
pub async fn charge(client: &Client, order: u64) -> Result<String, OrderError> {
    let key = current().map(|attempt| attempt.idempotency_key().to_string()).unwrap_or_default();
    Ok(client.send(&format!("charge {order} {key}")).await?)
}

/// A request knows whether it may be repeated.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is sent.
    pub line: Arc<str>,
    /// Whether it changes nothing.
    pub is_read: bool,
}

/// The request says whether a repeat is harmless.
///
/// # Errors
///
/// The service's refusal.
#[retry(idempotent = request.is_read, on_retry = tell)]
pub async fn send(client: &Client, request: &Request) -> Result<String, Refused> {
    let refused = |_| Refused { status: 503, wait: None };
    client.send(&request.line).await.map_err(refused)
}

/// A closure looks on.
///
/// # Errors
///
/// The service's.
#[retry(on_retry = |event| eprintln!("{line}: attempt {} failed", event.attempt()))]
pub async fn watched(client: &Client, line: &str) -> Result<String, OrderError> {
    Ok(client.send(line).await?)
}

/// Retries by itself wherever it is called.
///
/// # Errors
///
/// The service's.
#[retry(nested = "independent")]
pub async fn lock(client: &Client) -> Result<(), OrderError> {
    client.tell("lock").await?;
    Ok(())
}

/// What it calls may retry.
///
/// # Errors
///
/// The service's.
#[retry(inner = "allow", nested = "suppress")]
pub async fn nightly(client: &Client) -> Result<String, OrderError> {
    lock(client).await?;
    charge(client, 1).await
}

/// Has a name of its own.
///
/// # Errors
///
/// The service's.
#[retry(name = "orders.delete")]
pub async fn delete(client: &Client, id: u64) -> Result<(), OrderError> {
    client.tell(&format!("delete {id}")).await?;
    Ok(())
}

/// stormless is found elsewhere.
///
/// # Errors
///
/// That it is down.
#[platform::retry(crate = crate::repeats::platform)]
pub async fn by_way_of_another_module(client: &Client) -> Result<(), Down> {
    client.tell("ping").await.or(Err(Down))
}
