//! Generics: types, lifetimes, consts, and types that have no name.

use std::{array, fmt::Display, io, time::Duration};

use stormless::{Retryable, retry};
use tokio::task::yield_now;

use crate::{
    client::Client,
    errors::{During, OrderError},
};

type Answer<T> = Result<T, OrderError>;

/// An alias of the result.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn by_alias(client: &Client) -> Answer<u64> {
    Ok(client.send("count").await?.trim().parse()?)
}

/// Anything that can be displayed.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn any_key<K: Display + Send + Sync>(client: &Client, key: &K) -> Answer<String> {
    Ok(client.send(&format!("get {key}")).await?)
}

/// The shortest of two lifetimes, and bounds that stand behind.
///
/// # Errors
///
/// Those of the given call.
#[retry]
pub async fn longest<'a, 'b: 'a, F>(
    left: &'a str,
    right: &'b str,
    other: &'b str,
    call: F,
) -> Answer<&'a str>
where
    F: for<'x> Fn(&'x str) -> Answer<&'x str> + Send + Sync,
{
    yield_now().await;
    let longer = if right.len() > other.len() { right } else { other };
    call(if left.len() > longer.len() { left } else { longer })
}

/// A const that is a parameter.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn page<const SIZE: usize>(client: &Client) -> Answer<[String; SIZE]> {
    let answer = client.send("list").await?;
    let mut lines = answer.lines();
    Ok(array::from_fn(|_| lines.next().unwrap_or_default().to_owned()))
}

/// Attempts that are a parameter.
///
/// # Errors
///
/// The service's.
#[retry(attempts = TRIES)]
pub async fn tried<const TRIES: u32>(client: &Client) -> Answer<u32> {
    client.tell("ping").await?;
    Ok(TRIES)
}

/// What a kind of server is like.
pub trait Server {
    /// The first delay.
    const BASE: Duration;
    /// The longest one.
    const MAX: Duration;
    /// How it fails.
    type Error: Retryable + Send;

    /// The error for a connection's.
    fn failed(error: io::Error) -> Self::Error;
}

/// Settings of a type parameter, and its error.
///
/// # Errors
///
/// Those of this kind of server.
#[retry(base = S::BASE, max = S::MAX)]
pub async fn of_kind<S: Server>(client: &Client) -> Result<String, S::Error> {
    client.send("ping").await.map_err(S::failed)
}

/// An argument without a name for its type.
///
/// # Errors
///
/// Those of the given call, with what was done.
#[retry]
pub async fn during<T, E, F>(
    work: &str,
    call: impl Fn() -> F + Send + Sync,
) -> Result<T, During<'_, E>>
where
    E: Retryable + Send,
    F: Future<Output = Result<T, E>> + Send,
    T: Send,
{
    call().await.map_err(|source| During { work, source })
}

/// A result without a name for its type.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn lines(client: &Client) -> Result<impl Iterator<Item = u64> + use<>, OrderError> {
    let answer = client.send("list").await?;
    Ok((0..).take(answer.len()).map(|number| number * 2))
}

/// A result behind a trait.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn shown(client: &Client, number: bool) -> Answer<Box<dyn Display + Send>> {
    let answer = client.send("count").await?;
    if number {
        return Ok(Box::new(answer.trim().parse::<u64>()?));
    }
    Ok(Box::new(answer))
}

/// One page after the other.
#[derive(Debug)]
pub struct Pages<'a, T, const SIZE: usize> {
    client: &'a Client,
    read: fn(&str) -> T,
}

impl<'a, T: Send, const SIZE: usize> Pages<'a, T, SIZE> {
    /// Pages of what `read` makes of a line.
    pub const fn new(client: &'a Client, read: fn(&str) -> T) -> Self {
        Self { client, read }
    }

    /// The next one.
    ///
    /// # Errors
    ///
    /// The service's.
    #[retry(base = "10ms")]
    pub async fn next(&mut self) -> Answer<Vec<T>> {
        let answer = self.client.send(&format!("page {SIZE}")).await?;
        Ok(answer.lines().map(self.read).collect())
    }

    /// Where they come from.
    ///
    /// # Errors
    ///
    /// The service's.
    #[retry]
    pub async fn source(&self) -> Answer<&'a Client> {
        self.client.tell("ping").await?;
        Ok(self.client)
    }
}
