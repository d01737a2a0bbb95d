//! Time limits.

use std::{
    io,
    time::{Duration, Instant},
};

use stormless::{Classification, Cut, retry};

use crate::{
    client::Client,
    errors::{Down, Either, Late, OrderError},
};

const LIMIT: Duration = Duration::from_secs(3);

/// All limits as literals.
///
/// # Errors
///
/// The service's, or that it took too long.
#[retry(
    deadline = "2s",
    attempt_timeout = "300ms",
    min_remaining = "50ms",
    time_per_attempt = "500ms",
    attempts = 10,
    idempotent
)]
pub async fn fetch(client: &Client, id: u64) -> Result<String, OrderError> {
    Ok(client.send(&format!("get {id}")).await?)
}

/// All limits from consts.
///
/// # Errors
///
/// The service's, or that it took too long.
#[retry(deadline = LIMIT, attempt_timeout = LIMIT, min_remaining = Duration::ZERO, time_per_attempt = LIMIT)]
pub async fn fetch_by(client: &Client) -> Result<String, OrderError> {
    Ok(client.send("list").await?)
}

/// What is left comes from the caller.
///
/// # Errors
///
/// The service's, or that it took too long.
#[retry(deadline = left)]
pub async fn fetch_within(client: &Client, left: Duration) -> Result<String, OrderError> {
    Ok(client.send("list").await?)
}

/// A point in time, if there is one.
///
/// # Errors
///
/// The connection's.
#[retry(deadline = until.and_then(|end| end.checked_sub(Duration::from_millis(1))))]
pub async fn fetch_until(client: &Client, until: Option<Instant>) -> io::Result<String> {
    client.send("list").await
}

/// Clean-up steps out of a deadline.
///
/// # Errors
///
/// The connection's.
#[retry(deadline = none)]
pub async fn release(client: &Client) -> io::Result<()> {
    client.tell("release").await
}

/// An error that cannot report a cut.
///
/// # Errors
///
/// That it is down.
#[retry(deadline = "1s", uncut)]
pub async fn ping(client: &Client) -> Result<(), Down> {
    client.tell("ping").await.or(Err(Down))
}

/// A closure reports the cut, another one classifies.
///
/// # Errors
///
/// A message.
#[retry(
    attempt_timeout = "200ms",
    deadline = "1s",
    cut_error = |cut| format!("cut: {cut}"),
    classify = |message: &String| if message.starts_with("cut") {
        Classification::timeout()
    } else {
        Classification::transient()
    },
    idempotent
)]
pub async fn read(client: &Client) -> Result<String, String> {
    client.send("read").await.map_err(|error| error.to_string())
}

const fn late(_: Cut) -> Late {
    Late
}

/// A function reports the cut.
///
/// # Errors
///
/// That it took too long.
#[retry(deadline = "1s", cut_error = late)]
pub async fn poll(client: &Client) -> Result<u8, Late> {
    client.send("poll").await.or(Err(Late))?.parse().or(Err(Late))
}

/// A variant with a field reports the cut.
///
/// # Errors
///
/// The first or the second call's.
#[retry(attempt_timeout = "1s", deadline = "5s", idempotent)]
pub async fn both(client: &Client) -> Result<String, Either<io::Error, OrderError>> {
    let list = client.send("list").await.map_err(Either::Left)?;
    let count = fetch_by(client).await.map_err(|error| Either::Right(Box::new(error)))?;
    Ok([list, count].concat())
}
