//! Bodies: what stands in them means what it meant.

use std::{convert::Infallible, num::ParseIntError, time::Duration};

use stormless::retry;
use tokio::time::sleep;

use crate::{client::Client, errors::OrderError};

/// A function with the attributes that functions have.
///
/// # Errors
///
/// The service's.
#[must_use = "the order is not sent before it is polled"]
#[inline]
#[retry]
#[cfg(not(target_family = "wasm"))]
#[doc(alias = "post")]
pub async fn place(client: &Client) -> Result<u64, OrderError> {
    Ok(client.send("place").await?.trim().parse()?)
}

/// Leaves early, in three ways.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn early(client: &Client, id: u64) -> Result<String, OrderError> {
    if id == 0 {
        return Err(OrderError::NotFound);
    }
    let answer = client.send(&format!("get {id}")).await?;
    let Some(order) = answer.lines().next() else {
        return Err(OrderError::NotFound);
    };
    Ok(order.to_owned())
}

/// Loops with labels.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn looped(client: &Client, wanted: u64) -> Result<u64, OrderError> {
    let mut seen = 0;
    'pages: loop {
        let page = client.send(&format!("page {seen}")).await?;
        for line in page.lines() {
            if line.parse::<u64>()? == wanted {
                break 'pages;
            }
            if line.is_empty() {
                continue 'pages;
            }
            seen += 1;
        }
        if page.is_empty() {
            return Err(OrderError::NotFound);
        }
    }
    Ok(seen)
}

/// Closures with a `?` of their own.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn closures(client: &Client) -> Result<Vec<u64>, OrderError> {
    let read = |line: &str| -> Result<u64, ParseIntError> { Ok(line.trim().parse::<u64>()? + 1) };
    let numbers: Result<Vec<_>, _> = client.send("list").await?.lines().map(read).collect();
    Ok(numbers?)
}

/// Two calls at once.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn joined(client: &Client) -> Result<(String, String), OrderError> {
    let (left, right) = tokio::join!(client.send("left"), client.send("right"));
    Ok((left?, right?))
}

/// Whichever comes first.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn raced(client: &Client) -> Result<String, OrderError> {
    tokio::select! {
        answer = client.send("slow") => Ok(answer?),
        () = sleep(Duration::from_secs(1)) => Err(OrderError::NoAnswer),
    }
}

/// Items of its own.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn items(client: &Client) -> Result<String, OrderError> {
    use std::borrow::Cow;

    const LINE: &str = "items";
    macro_rules! ask {
        ($line:expr) => {
            client.send($line).await?
        };
    }
    fn shorten(text: &mut String) {
        text.truncate(10);
    }

    let mut answer = ask!(LINE);
    shorten(&mut answer);
    answer.push_str(&ask!("more"));
    let lossy: Cow<'_, str> = String::from_utf8_lossy(answer.as_bytes());
    Ok(lossy.into_owned())
}

/// Calls itself.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn recursive(client: &Client, depth: u8) -> Result<String, OrderError> {
    let Some(below) = depth.checked_sub(1) else {
        return Ok(client.send("leaf").await?);
    };
    Box::pin(recursive(client, below)).await
}

/// Never succeeds.
///
/// # Errors
///
/// Always.
#[retry(base = "1ms")]
pub async fn never(client: &Client) -> Result<Infallible, OrderError> {
    Err(client.send("never").await.map_or_else(OrderError::from, |_| OrderError::Unavailable))
}

/// An expression and no statement.
///
/// # Errors
///
/// The service's.
#[retry(base = "1ms")]
pub async fn expression(client: &Client) -> Result<String, OrderError> {
    match client.send("first").await {
        Err(_) if client.send("second").await.is_ok() => Ok(String::new()),
        answer => Ok(answer?),
    }
}
