//! A lock that is given back by who has it, on a connection behind `&mut`.

use std::time::Duration;

use redis::{
    AsyncCommands, Client, ExistenceCheck, Script, SetExpiry, SetOptions,
    aio::MultiplexedConnection,
};
use stormless::retry;

use super::{CACHE, CacheError, CacheResult, PATIENT};

/// Deletes a key only while it still says who we are.
const RELEASE: &str =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

/// A lock, held until it is released or runs out.
#[derive(Debug)]
pub struct Lock {
    connection: MultiplexedConnection,
    name: String,
    owner: String,
}

/// Takes a lock. An attempt whose answer was lost may have taken it: the next one knows its own name.
#[retry(policy = PATIENT, budget = CACHE, idempotent, clone(connection))]
pub async fn acquire(
    mut connection: MultiplexedConnection,
    name: &str,
    owner: &str,
    lease: Duration,
) -> CacheResult<Lock> {
    let millis = u64::try_from(lease.as_millis()).unwrap_or(u64::MAX);
    let options = SetOptions::default()
        .conditional_set(ExistenceCheck::NX)
        .with_expiration(SetExpiry::PX(millis));
    let taken: Option<String> = connection.set_options(name, owner, options).await?;
    if taken.is_none() && held_by(&mut connection, name).await?.as_deref() != Some(owner) {
        return Err(CacheError::Held);
    }
    Ok(Lock { connection, name: name.to_owned(), owner: owner.to_owned() })
}

/// Who has a lock.
#[retry(policy = PATIENT, budget = CACHE, idempotent)]
pub async fn held_by(
    connection: &mut MultiplexedConnection,
    name: &str,
) -> CacheResult<Option<String>> {
    Ok(connection.get(name).await?)
}

/// Whether there is a server, on a connection that each attempt opens for itself.
#[retry(policy = PATIENT, budget = "services.cache", idempotent)]
pub async fn ping(client: &Client) -> CacheResult<String> {
    let mut connection = client.get_multiplexed_async_connection().await?;
    Ok(redis::cmd("PING").query_async(&mut connection).await?)
}

impl Lock {
    /// Holds the lock for as long again.
    #[retry(policy = PATIENT, budget = CACHE, idempotent)]
    pub async fn extend(&mut self, lease: Duration) -> CacheResult<()> {
        let millis = i64::try_from(lease.as_millis()).unwrap_or(i64::MAX);
        let connection = &mut self.connection;
        let held = connection.pexpire(&self.name, millis).await?;
        if held { Ok(()) } else { Err(CacheError::Lost) }
    }

    /// Gives the lock back; whether it was still held. A lock that nobody could give back runs out by
    /// itself, so this may step out of a deadline that has passed.
    #[retry(policy = PATIENT, budget = CACHE, deadline = none, idempotent)]
    pub async fn release(self) -> CacheResult<bool> {
        let script = Script::new(RELEASE);
        let mut released = script.key(&self.name);
        let mut connection = self.connection.clone();
        Ok(released.arg(&self.owner).invoke_async(&mut connection).await?)
    }
}
