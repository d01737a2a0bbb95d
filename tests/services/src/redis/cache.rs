//! Keys and values, on a connection that is cloned for each attempt.

use std::{future::Future, time::Duration};

use redis::{AsyncCommands, FromRedisValue, ToSingleRedisArg, aio::ConnectionManager, pipe};
use stormless::retry;

use super::{CACHE, CacheError, PATIENT};

/// The cache as the rest of a service sees it.
#[derive(Clone)]
pub struct Cache {
    pub(super) connection: ConnectionManager,
    ttl: Duration,
}

impl Cache {
    /// Over this connection; what is written is forgotten after that time.
    #[must_use]
    pub fn new(connection: ConnectionManager, ttl: Duration) -> Self {
        Self { connection, ttl }
    }

    /// What is kept under a key, if it is there.
    #[retry(policy = PATIENT, budget = CACHE, idempotent)]
    pub async fn get<T: FromRedisValue>(&self, key: &str) -> Result<Option<T>, CacheError> {
        Ok(self.connection.clone().get(key).await?)
    }

    /// What is kept under several keys, in their order.
    #[retry(policy = PATIENT, budget = CACHE, attempt_timeout = "1s", idempotent)]
    pub async fn get_all(&self, keys: &[&str]) -> Result<Vec<Option<String>>, CacheError> {
        let mut connection = self.connection.clone();
        Ok(connection.mget(keys).await?)
    }

    /// Keeps a value for a while.
    #[retry(policy = PATIENT, budget = CACHE, clone(value), idempotent)]
    pub async fn set<V>(&self, key: &str, value: V) -> Result<(), CacheError>
    where
        V: ToSingleRedisArg + Clone + Send + Sync,
    {
        let mut connection = self.connection.clone();
        connection.set_ex::<_, _, ()>(key, value, self.ttl.as_secs()).await?;
        Ok(())
    }

    /// Keeps several values, all of them or none.
    #[retry(policy = PATIENT, budget = CACHE, idempotent)]
    pub async fn set_all(&self, entries: &[(String, String)]) -> Result<(), CacheError> {
        let mut all = pipe();
        all.atomic();
        for (key, value) in entries {
            all.set_ex(key, value, self.ttl.as_secs()).ignore();
        }
        Ok(all.query_async(&mut self.connection.clone()).await?)
    }

    /// Counts. A repetition would count twice, so a lost answer is final.
    #[retry(policy = PATIENT, budget = CACHE)]
    pub async fn count(&self, key: &str, by: i64) -> Result<i64, CacheError> {
        Ok(self.connection.clone().incr(key, by).await?)
    }

    /// Forgets a key.
    #[retry(policy = PATIENT, budget = CACHE, idempotent)]
    pub async fn forget(&self, key: impl AsRef<str> + Send + Sync) -> Result<(), CacheError> {
        self.connection.clone().del::<_, ()>(key.as_ref()).await?;
        Ok(())
    }

    /// Keeps what is there for as long again; whether there was something.
    #[retry(policy = PATIENT, budget = CACHE, idempotent)]
    pub async fn touch(&self, key: &str) -> Result<bool, CacheError> {
        let seconds = i64::try_from(self.ttl.as_secs()).unwrap_or(i64::MAX);
        Ok(self.connection.clone().expire(key, seconds).await?)
    }

    /// What is kept under a key, or else what `compute` makes, which is then kept. Nothing is computed
    /// twice for a cache that is only slow: the computation is no part of the attempts.
    pub async fn get_or_compute<F, Fut>(&self, key: &str, compute: F) -> Result<String, CacheError>
    where
        F: FnOnce() -> Fut + Send,
        Fut: Future<Output = String> + Send,
    {
        if let Some(kept) = self.get(key).await? {
            return Ok(kept);
        }
        let value = compute().await;
        self.set(key, value.as_str()).await?;
        Ok(value)
    }

    /// As [`get_or_compute`](Self::get_or_compute), for a computation that can fail as the cache can and
    /// is to be done again in that case. The inner calls do not retry here: this one does.
    #[retry(policy = PATIENT, budget = CACHE, deadline = within, idempotent)]
    pub async fn get_or_load<F, Fut>(
        &self,
        key: &str,
        within: Duration,
        load: F,
    ) -> Result<String, CacheError>
    where
        F: Fn() -> Fut + Send + Sync,
        Fut: Future<Output = Result<String, CacheError>> + Send,
    {
        if let Some(kept) = self.get::<String>(key).await? {
            return Ok(kept);
        }
        let value = load().await?;
        self.set(key, value.as_str()).await?;
        Ok(value)
    }

    /// Tells subscribers; how many there are. They would hear a repetition twice.
    #[retry(policy = PATIENT, budget = CACHE)]
    pub async fn publish(&self, channel: &str, message: &str) -> Result<u64, CacheError> {
        Ok(self.connection.clone().publish(channel, message).await?)
    }

    /// Some of the keys, and where to go on; zero is the beginning and the end.
    #[retry(policy = PATIENT, budget = CACHE, idempotent)]
    pub async fn scan(&self, cursor: u64, pattern: &str) -> Result<(u64, Vec<String>), CacheError> {
        let mut scan = redis::cmd("SCAN");
        scan.arg(cursor).arg("MATCH").arg(pattern).arg("COUNT").arg(100);
        Ok(scan.query_async(&mut self.connection.clone()).await?)
    }
}
