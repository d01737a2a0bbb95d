//! A server for each test, because what most of them do to it no other test could live with.

use redis::{Client, RedisResult, aio::MultiplexedConnection, cmd};

use crate::servers::Server;

const SCRIPT: &str = include_str!("../../../../services/tests/support/redis.sh");

pub(crate) struct Real {
    pub(crate) server: Server,
    pub(crate) client: Client,
    pub(crate) admin: MultiplexedConnection,
}

impl Real {
    /// A new one, or none where there is no server.
    pub(crate) async fn start() -> RedisResult<Option<Self>> {
        let Some(server) = Server::start("redis", "redis-server", SCRIPT) else { return Ok(None) };
        let client = Client::open(format!("unix://{}", server.directory.join("socket").display()))?;
        let admin = client.get_multiplexed_async_connection().await?;
        Ok(Some(Self { server, client, admin }))
    }

    /// Another connection.
    pub(crate) async fn connect(&self) -> RedisResult<MultiplexedConnection> {
        self.client.get_multiplexed_async_connection().await
    }

    pub(crate) async fn set(&mut self, setting: &str, value: &str) -> RedisResult<()> {
        run(&mut self.admin, &["CONFIG", "SET", setting, value]).await
    }

    pub(crate) async fn run(&mut self, words: &[&str]) -> RedisResult<()> {
        run(&mut self.admin, words).await
    }
}

pub(crate) async fn run(connection: &mut MultiplexedConnection, words: &[&str]) -> RedisResult<()> {
    let mut command = cmd(words[0]);
    command.arg(&words[1..]).exec_async(connection).await
}
