//! Records of several fields, each attempt on a clone of the connection that the attribute makes.

use redis::{AsyncCommands, aio::ConnectionManager};
use stormless::retry;

use super::{CACHE, Cache, CacheResult, PATIENT};

impl Cache {
    /// One field of a record.
    pub async fn field(&self, key: &str, field: &str) -> CacheResult<Option<String>> {
        read_field(self.connection.clone(), key, field).await
    }

    /// Several fields of a record at once.
    pub async fn set_fields(
        &self,
        key: &str,
        fields: Vec<(&'static str, String)>,
    ) -> CacheResult<()> {
        write_fields(self.connection.clone(), key, fields).await
    }
}

/// The driver's methods want the connection to be `mut`, and so does the argument.
#[retry(policy = PATIENT, budget = CACHE, clone(connection), idempotent)]
async fn read_field(
    mut connection: ConnectionManager,
    key: &str,
    field: &str,
) -> CacheResult<Option<String>> {
    Ok(connection.hget(key, field).await?)
}

#[retry(policy = PATIENT, budget = CACHE, clone(connection, fields), idempotent)]
async fn write_fields(
    mut connection: ConnectionManager,
    key: &str,
    mut fields: Vec<(&'static str, String)>,
) -> CacheResult<()> {
    // Sorted, so that all attempts send the same bytes.
    fields.sort_unstable();
    connection.hset_multiple::<_, _, _, ()>(key, &fields).await?;
    Ok(())
}
