//! Clients of redis that leave retries to whoever calls them.

/// The same configuration with the driver's own retries switched off, so that one attempt of yours is one request.
///
/// - `ClusterClientBuilder` (feature `redis-1-cluster`) would send a command up to 17 times: again after `TRYAGAIN`,
///   `CLUSTERDOWN` and `LOADING`, after a timeout, and after a connection that was lost when the command may have been
///   carried out. What else these retries do is to follow `MOVED` and `ASK`: without them both become errors, transient
///   and not executed. The asynchronous client has asked for the new slots by the time it reports `MOVED`, so that the
///   next attempt goes to the right node; after `ASK` it goes to the old one until the slot has moved. The blocking
///   client asks for them only when it retries: give it `.retries(1)` instead, and know that an attempt may then be two
///   requests.
/// - `ConnectionManagerConfig` (feature `redis-1-connection-manager`) would connect up to 7 times before a command
///   fails, whatever connecting failed for. It never sends a command twice, with or without this.
///
/// ```no_run
/// # use retry_runtime as stormless;
/// # #[cfg(feature = "redis-1-connection-manager")]
/// async fn connect(client: redis::Client) -> redis::RedisResult<redis::aio::ConnectionManager> {
///     use redis::aio::ConnectionManagerConfig;
///
///     let config = stormless::redis::unretried(ConnectionManagerConfig::new());
///     client.get_connection_manager_with_config(config).await
/// }
/// ```
pub fn unretried<C: Retrying>(config: C) -> C {
    config.without_retries()
}

/// A configuration of a client that retries unless it is told not to; see [`unretried`].
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::redis::{Retrying, unretried};
///
/// /// For whichever client this service connects with.
/// fn ours<C: Retrying>(config: C) -> C {
///     unretried(config)
/// }
/// # #[cfg(feature = "redis-1-connection-manager")]
/// # {
/// let config = ours(redis::aio::ConnectionManagerConfig::new());
/// assert_eq!(config.number_of_retries(), 0);
/// # }
/// ```
pub trait Retrying: sealed::Sealed {
    #[doc(hidden)]
    #[must_use]
    fn without_retries(self) -> Self;
}

#[cfg(feature = "redis-1-cluster")]
impl Retrying for redis::cluster::ClusterClientBuilder {
    fn without_retries(self) -> Self {
        self.retries(0)
    }
}

#[cfg(feature = "redis-1-connection-manager")]
impl Retrying for redis::aio::ConnectionManagerConfig {
    fn without_retries(self) -> Self {
        self.set_number_of_retries(0)
    }
}

mod sealed {
    pub trait Sealed {}
    #[cfg(feature = "redis-1-cluster")]
    impl Sealed for redis::cluster::ClusterClientBuilder {}
    #[cfg(feature = "redis-1-connection-manager")]
    impl Sealed for redis::aio::ConnectionManagerConfig {}
}
