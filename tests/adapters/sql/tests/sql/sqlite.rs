//! SQLite: other connections to the same file, and what they hold.

use std::{path::PathBuf, time::Duration};

use sqlx::{
    Connection, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode},
};
use stormless::{current, report, retry, testing::isolated};

use crate::{Conflict, Executed, NotExecuted, Permanent, Tested, Transient, verdict};

/// A file of the test's own, gone with it.
struct File(PathBuf);

impl Drop for File {
    fn drop(&mut self) {
        for suffix in ["", "-wal", "-shm"] {
            let mut path = self.0.clone().into_os_string();
            path.push(suffix);
            // Not each of them was made.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl File {
    async fn create(name: &str) -> Result<Self, sqlx::Error> {
        let unique = format!("stormless-{name}-{}.sqlite", std::process::id());
        let file = Self(std::env::temp_dir().join(unique));
        let mut connection = file.open().await?;
        run(&mut connection, "CREATE TABLE accounts (id INTEGER PRIMARY KEY, balance NOT NULL)")
            .await?;
        run(&mut connection, "INSERT INTO accounts VALUES (1, 100)").await?;
        // Whoever goes last holds the file for a moment.
        connection.close().await?;
        Ok(file)
    }

    /// A connection that waits for nobody.
    async fn open(&self) -> Result<SqliteConnection, sqlx::Error> {
        let options = SqliteConnectOptions::new()
            .filename(&self.0)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .busy_timeout(Duration::ZERO);
        SqliteConnection::connect_with(&options).await
    }
}

async fn run(connection: &mut SqliteConnection, sql: &'static str) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(sql).execute(connection).await?;
    Ok(())
}

#[tokio::test]
async fn a_database_that_somebody_else_writes_to_is_asked_again() -> Tested {
    let file = File::create("busy").await?;
    let (mut first, mut second) = (file.open().await?, file.open().await?);
    run(&mut first, "BEGIN IMMEDIATE").await?;
    let busy = run(&mut second, "BEGIN IMMEDIATE").await;
    assert_eq!(verdict(busy), Some((Transient, NotExecuted, "sqlite_busy")));
    run(&mut first, "ROLLBACK").await?;
    run(&mut second, "BEGIN IMMEDIATE").await?;
    Ok(())
}

#[tokio::test]
async fn a_snapshot_that_is_not_the_last_one_is_a_conflict() -> Tested {
    let file = File::create("snapshot").await?;
    let (mut reads, mut writes) = (file.open().await?, file.open().await?);
    run(&mut reads, "BEGIN; SELECT * FROM accounts").await?;
    run(&mut writes, "UPDATE accounts SET balance = 1").await?;
    let stale = run(&mut reads, "UPDATE accounts SET balance = 2").await;
    assert_eq!(verdict(stale), Some((Conflict, NotExecuted, "sqlite_busy_snapshot")));
    Ok(())
}

#[tokio::test]
async fn what_is_wrong_with_a_statement_is_permanent_and_an_answer() -> Tested {
    let mut memory = SqliteConnection::connect("sqlite::memory:").await?;
    run(&mut memory, "CREATE TABLE owners (id INTEGER PRIMARY KEY)").await?;
    run(&mut memory, "CREATE TABLE accounts (name TEXT UNIQUE NOT NULL, owner REFERENCES owners)")
        .await?;
    run(&mut memory, "INSERT INTO accounts VALUES ('a', NULL)").await?;
    for (statement, label) in [
        ("INSERT INTO accounts VALUES ('a', NULL)", "sqlite_constraint_unique"),
        ("INSERT INTO accounts VALUES (NULL, NULL)", "sqlite_constraint_notnull"),
        ("INSERT INTO accounts VALUES ('b', 7)", "sqlite_constraint_foreignkey"),
        ("SELEC 1", "sqlite_error"),
    ] {
        let refused = run(&mut memory, statement).await;
        assert_eq!(verdict(refused), Some((Permanent, Executed, label)));
    }
    run(&mut memory, "PRAGMA query_only = 1").await?;
    let read_only = run(&mut memory, "DELETE FROM accounts").await;
    assert_eq!(verdict(read_only), Some((Permanent, NotExecuted, "sqlite_readonly")));
    let nowhere = SqliteConnection::connect("sqlite:///nowhere/at/all").await;
    assert_eq!(verdict(nowhere), Some((Permanent, NotExecuted, "sqlite_cantopen")));
    Ok(())
}

/// The writer commits before the last attempt.
#[retry(base = "1ms", max = "2ms", attempts = 3)]
async fn add(
    connection: &mut SqliteConnection,
    writer: &mut SqliteConnection,
) -> Result<(), sqlx::Error> {
    if current().is_some_and(|attempt| attempt.number() == 3) {
        run(writer, "COMMIT").await?;
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    sqlx::raw_sql("UPDATE accounts SET balance = balance + 1").execute(&mut *transaction).await?;
    transaction.commit().await
}

#[tokio::test]
async fn a_transaction_is_repeated_until_the_writer_has_finished() -> Tested {
    let file = File::create("repeated").await?;
    let (mut connection, mut writer) = (file.open().await?, file.open().await?);
    run(&mut writer, "BEGIN IMMEDIATE; UPDATE accounts SET balance = 200").await?;
    let (result, calls) = isolated(report(add(&mut connection, &mut writer))).await;
    result?;
    assert_eq!(calls[0].attempts(), 3);
    let balance = "SELECT balance FROM accounts";
    assert_eq!(sqlx::query_scalar::<_, i64>(balance).fetch_one(&mut writer).await?, 201);
    Ok(())
}
