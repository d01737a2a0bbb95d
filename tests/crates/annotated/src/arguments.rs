//! Arguments: patterns, owned ones, and such as are not always there.

use std::{cell::Cell, collections::BTreeMap, sync::Arc};

use stormless::retry;
use tokio::sync::Mutex;

use crate::{client::Client, errors::OrderError};

/// Where an order goes.
#[derive(Clone, Debug)]
pub struct Address {
    /// The street, with the number.
    pub street: String,
    /// The town.
    pub town: String,
    /// What the driver has to know.
    pub note: Option<String>,
}

/// Destructured.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn tuple(
    (client, id): (&Client, u64),
    [first, .., last]: [u8; 4],
    &scale: &u64,
) -> Result<String, OrderError> {
    Ok(client.send(&format!("{} {first} {last}", id * scale)).await?)
}

/// Destructured by its names, some of which are ignored.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn address(
    client: &Client,
    Address { street, town: city, .. }: &Address,
    _: u8,
    _reserved: &str,
) -> Result<String, OrderError> {
    Ok(client.send(&format!("{street}, {city}")).await?)
}

/// Owned, and lent to each attempt.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn lent(client: Arc<Client>, lines: Vec<String>) -> Result<usize, OrderError> {
    for line in &lines {
        client.tell(line).await?;
    }
    Ok(lines.len())
}

/// Owned, and moved by each attempt.
///
/// # Errors
///
/// The service's.
#[retry(clone(line))]
pub async fn moved(client: &Client, line: String) -> Result<String, OrderError> {
    client.tell(&line).await?;
    Ok(line)
}

/// Owned, and changed by each attempt.
///
/// # Errors
///
/// The service's.
#[retry(clone(lines, count))]
pub async fn changed(
    client: &Client,
    mut lines: BTreeMap<u64, String>,
    mut count: u64,
) -> Result<BTreeMap<u64, String>, OrderError> {
    count += 1;
    let answer = client.send(&count.to_string()).await?;
    lines.entry(count).or_default().push_str(&answer);
    Ok(lines)
}

/// A part of a pattern is changed.
///
/// # Errors
///
/// The service's.
#[retry(clone(left))]
pub async fn part((mut left, right): (u64, u64), client: &Client) -> Result<u64, OrderError> {
    left += right;
    client.tell(&left.to_string()).await?;
    Ok(left)
}

/// Cannot be shared between threads, and so each attempt has its own.
///
/// # Errors
///
/// The service's.
#[retry(clone(seen))]
pub async fn unshared(client: &Client, seen: Cell<u64>) -> Result<u64, OrderError> {
    client.tell(&seen.get().to_string()).await?;
    seen.set(seen.get() + 1);
    Ok(seen.get())
}

/// Some arguments are only there in some builds.
///
/// # Errors
///
/// The service's.
#[retry(clone(line, word))]
pub async fn conditional(
    client: &Client,
    #[cfg(not(windows))] line: String,
    #[cfg(windows)] line: std::path::PathBuf,
    #[cfg(windows)] word: &'static str,
    #[cfg(not(windows))] word: &str,
) -> Result<String, OrderError> {
    client.tell(word).await?;
    Ok(format!("{line:?}"))
}

/// Collected in what the caller has.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn collected(client: &Client, into: &mut Vec<String>) -> Result<(), OrderError> {
    into.clear();
    into.push(client.send("get 1").await?);
    into.push(client.send("get 2").await?);
    Ok(())
}

/// Behind an asynchronous lock.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn locked(client: &Mutex<Client>) -> Result<String, OrderError> {
    let answer = client.lock().await.send("list").await?;
    Ok(answer)
}

/// Named by keywords.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn r#match(r#in: &Client, r#type: u8) -> Result<String, OrderError> {
    Ok(r#in.send(&r#type.to_string()).await?)
}

/// Named like what the macro generates.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn call(call: &Client, result: u8, policy: u8) -> Result<String, OrderError> {
    Ok(call.send(&format!("{result} {policy}")).await?)
}
