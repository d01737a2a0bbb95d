//! The two drivers, as one thing that runs statements: what a failure means must not depend on which it is.

use std::{
    fmt::Debug,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use sqlx::{
    AssertSqlSafe, Connection, PgConnection,
    postgres::{PgConnectOptions, PgSslMode},
};
use stormless::Retryable;
use tokio_postgres::{Client, Config, NoTls};

/// Where a database is, and who asks.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) at: At,
    pub(crate) user: String,
    pub(crate) password: Option<&'static str>,
    pub(crate) database: String,
}

#[derive(Clone)]
pub(crate) enum At {
    Socket(PathBuf),
    Port(SocketAddr),
}

impl Target {
    pub(crate) fn socket(directory: &Path) -> Self {
        let at = At::Socket(directory.to_owned());
        Self { at, user: "postgres".into(), password: None, database: "postgres".into() }
    }

    pub(crate) fn through(&self, proxy: SocketAddr) -> Self {
        Self { at: At::Port(proxy), ..self.clone() }
    }

    pub(crate) fn sqlx(&self) -> PgConnectOptions {
        let options = PgConnectOptions::new_without_pgpass()
            .username(&self.user)
            .database(&self.database)
            .ssl_mode(PgSslMode::Disable);
        let options = self.password.iter().fold(options, |options, word| options.password(word));
        match &self.at {
            At::Socket(directory) => options.socket(directory),
            At::Port(address) => options.host(&address.ip().to_string()).port(address.port()),
        }
    }

    pub(crate) fn tokio_postgres(&self) -> Config {
        let mut config = Config::new();
        config.user(&self.user).dbname(&self.database);
        if let Some(password) = self.password {
            config.password(password);
        }
        match &self.at {
            At::Socket(directory) => config.host_path(directory),
            At::Port(address) => config.host(address.ip().to_string()).port(address.port()),
        };
        config
    }
}

pub(crate) trait Session: Sized {
    type Error: Retryable + Debug;

    async fn open(target: &Target) -> Result<Self, Self::Error>;
    async fn run(&mut self, sql: &str) -> Result<(), Self::Error>;
}

pub(crate) struct Sqlx(pub(crate) PgConnection);

impl Session for Sqlx {
    type Error = sqlx::Error;

    async fn open(target: &Target) -> Result<Self, Self::Error> {
        Ok(Self(PgConnection::connect_with(&target.sqlx()).await?))
    }

    async fn run(&mut self, sql: &str) -> Result<(), Self::Error> {
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut self.0).await?;
        Ok(())
    }
}

pub(crate) struct TokioPostgres(pub(crate) Client);

impl Session for TokioPostgres {
    type Error = tokio_postgres::Error;

    async fn open(target: &Target) -> Result<Self, Self::Error> {
        let (client, connection) = target.tokio_postgres().connect(NoTls).await?;
        tokio::spawn(connection);
        Ok(Self(client))
    }

    async fn run(&mut self, sql: &str) -> Result<(), Self::Error> {
        self.0.batch_execute(sql).await
    }
}
