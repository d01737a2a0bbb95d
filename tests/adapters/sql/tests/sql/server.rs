//! A database for each test, on one server for all of them.

use std::sync::{
    LazyLock,
    atomic::{AtomicU32, Ordering},
};

use crate::{
    driver::{Session, Sqlx, Target},
    servers::Server,
};

const SCRIPT: &str = include_str!("../../../../services/tests/support/postgres.sh");

static SHARED: LazyLock<Option<Server>> = LazyLock::new(start);

fn start() -> Option<Server> {
    Server::start("PostgreSQL", "postgresql", SCRIPT)
}

/// A database with one table, and a session for looking on.
pub(crate) struct Database {
    pub(crate) target: Target,
    pub(crate) admin: Sqlx,
}

impl Database {
    /// A new one, or none where there is no server.
    pub(crate) async fn create() -> Result<Option<Self>, sqlx::Error> {
        match &*SHARED {
            Some(server) => Self::on(server).await.map(Some),
            None => Ok(None),
        }
    }

    async fn on(server: &Server) -> Result<Self, sqlx::Error> {
        static CREATED: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}", CREATED.fetch_add(1, Ordering::Relaxed));
        let mut target = Target::socket(&server.directory);
        Sqlx::open(&target).await?.run(&format!("CREATE DATABASE {name}")).await?;
        target.database = name;
        let mut admin = Sqlx::open(&target).await?;
        admin.run("CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL)").await?;
        admin.run("INSERT INTO accounts VALUES (1, 100), (2, 100)").await?;
        Ok(Self { target, admin })
    }

    pub(crate) async fn open<S: Session>(&self) -> Result<S, S::Error> {
        S::open(&self.target).await
    }

    /// A role of this database's own that may log in.
    pub(crate) async fn role(&mut self, options: &str) -> Result<Target, sqlx::Error> {
        let role = format!("role_of_{}", self.target.database);
        self.admin.run(&format!("CREATE ROLE {role} LOGIN {options}")).await?;
        Ok(Target { user: role, ..self.target.clone() })
    }

    pub(crate) async fn number(&mut self, query: &'static str) -> Result<i64, sqlx::Error> {
        sqlx::query_scalar(query).fetch_one(&mut self.admin.0).await
    }

    /// Returns when somebody waits for a lock in this database.
    pub(crate) async fn somebody_waits(&mut self) -> Result<(), sqlx::Error> {
        let waiting = "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) \
                       WHERE NOT granted AND datname = current_database()";
        while self.number(waiting).await? == 0 {}
        Ok(())
    }
}

/// A server that may be shut down.
pub(crate) async fn private() -> Result<Option<(Server, Database)>, sqlx::Error> {
    let Some(server) = start() else { return Ok(None) };
    let database = Database::on(&server).await?;
    Ok(Some((server, database)))
}
