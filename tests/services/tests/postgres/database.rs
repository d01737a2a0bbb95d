//! A database for each test, on one server for all of them.

use std::{
    error::Error,
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use deadpool_postgres::Pool;
use services::postgres::{PgAccounts, SCHEMA, pool};
use tokio_postgres::{Client, Config, NoTls};

use crate::servers::Server;

static SERVER: LazyLock<Option<Server>> = LazyLock::new(|| {
    Server::start("PostgreSQL", "postgresql", include_str!("../support/postgres.sh"))
});

/// A database with the tables of the repositories, in which statements fail by script.
pub(crate) struct Database {
    config: Config,
    /// For looking behind the repositories' back.
    pub(crate) client: Client,
}

impl Database {
    /// A new one, or none where there is no server.
    pub(crate) async fn create() -> Result<Option<Self>, Box<dyn Error>> {
        static CREATED: AtomicU32 = AtomicU32::new(0);
        let Some(server) = &*SERVER else { return Ok(None) };
        let name = format!("test_{}", CREATED.fetch_add(1, Ordering::Relaxed));
        let mut config = Config::new();
        config.host_path(&server.directory).user("postgres").dbname("postgres");
        connect(&config).await?.batch_execute(&format!("CREATE DATABASE {name}")).await?;
        config.dbname(&name);
        let client = connect(&config).await?;
        client.batch_execute(SCHEMA).await?;
        client.batch_execute(include_str!("faults.sql")).await?;
        // What the test itself writes is no statement to be counted: no trigger fires for it.
        client.batch_execute("SET session_replication_role = replica").await?;
        Ok(Some(Self { config, client }))
    }

    pub(crate) fn pool(&self, size: usize, wait: Duration) -> Result<Pool, Box<dyn Error>> {
        Ok(pool(self.config.clone(), size, wait)?)
    }

    pub(crate) fn accounts(&self) -> Result<PgAccounts, Box<dyn Error>> {
        Ok(PgAccounts::new(self.pool(2, Duration::from_secs(60))?))
    }

    /// A connection that is nobody else's.
    pub(crate) async fn connect(&self) -> Result<Client, Box<dyn Error>> {
        connect(&self.config).await
    }

    /// What the next statements of a kind end with: a SQLSTATE, `"killed"`, `"nothing"`, or `""` for success.
    pub(crate) async fn fail(
        &self,
        operation: &str,
        faults: &[&str],
    ) -> Result<(), Box<dyn Error>> {
        let calls = self.calls(operation).await?;
        for (nth, fault) in (calls + 1..).zip(faults).filter(|(_, fault)| !fault.is_empty()) {
            let fail = "INSERT INTO faults (operation, nth, fault) VALUES ($1, $2, $3)";
            self.client.execute(fail, &[&operation, &nth, fault]).await?;
        }
        Ok(())
    }

    /// How many statements of a kind there were, rolled back or not.
    pub(crate) async fn calls(&self, operation: &str) -> Result<i64, Box<dyn Error>> {
        let calls = "SELECT coalesce(pg_sequence_last_value($1::text::regclass), 0)";
        let sequence = format!("{operation}_calls");
        Ok(self.client.query_one(calls, &[&sequence]).await?.try_get(0)?)
    }

    /// Number, owner and balance of all accounts.
    pub(crate) async fn rows(&self) -> Result<Vec<(i64, String, i64)>, Box<dyn Error>> {
        let rows = "SELECT id, owner, balance FROM account_rows ORDER BY id";
        let rows = self.client.query(rows, &[]).await?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect())
    }

    /// Accounts of Ada, with these balances and the numbers from one.
    pub(crate) async fn given(&self, balances: &[i64]) -> Result<(), Box<dyn Error>> {
        for (id, balance) in (1_i64..).zip(balances) {
            let insert = "INSERT INTO account_rows (id, owner, balance) VALUES ($1, 'ada', $2)";
            self.client.execute(insert, &[&id, balance]).await?;
        }
        Ok(())
    }

    /// Returns when somebody waits for a lock in this database.
    pub(crate) async fn somebody_waits(&self) -> Result<(), Box<dyn Error>> {
        let waiting = "SELECT EXISTS (SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) \
                       WHERE NOT granted AND datname = current_database())";
        while !self.client.query_one(waiting, &[]).await?.try_get::<_, bool>(0)? {}
        Ok(())
    }
}

async fn connect(config: &Config) -> Result<Client, Box<dyn Error>> {
    let (client, connection) = config.connect(NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}
