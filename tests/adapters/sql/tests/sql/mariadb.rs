//! MariaDB, whose numbers say more than its SQLSTATEs do.

use std::sync::{
    LazyLock,
    atomic::{AtomicU32, Ordering},
};

use sqlx::{AssertSqlSafe, Connection, MySqlConnection, mysql::MySqlConnectOptions};
use stormless::{report, retry, testing::isolated};

use crate::{
    Conflict, Executed, MaybeExecuted, NotExecuted, Permanent, Tested, Throttled, Timeout,
    Transient, servers::Server, verdict,
};

static SERVER: LazyLock<Option<Server>> = LazyLock::new(|| {
    Server::start("MariaDB", "mariadb-server", include_str!("../support/mariadb.sh"))
});

/// A database of the test's own, with one table.
struct Database(MySqlConnectOptions, String);

impl Database {
    async fn create() -> Result<Option<Self>, sqlx::Error> {
        static CREATED: AtomicU32 = AtomicU32::new(0);
        let Some(server) = &*SERVER else { return Ok(None) };
        let name = format!("test_{}", CREATED.fetch_add(1, Ordering::Relaxed));
        let options =
            MySqlConnectOptions::new().socket(server.directory.join("socket")).username("root");
        let mut connection = MySqlConnection::connect_with(&options).await?;
        run(&mut connection, &format!("CREATE DATABASE {name}")).await?;
        let database = Self(options.database(&name), name);
        let mut connection = database.open().await?;
        run(&mut connection, "CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL)")
            .await?;
        run(&mut connection, "INSERT INTO accounts VALUES (1, 100), (2, 100)").await?;
        Ok(Some(database))
    }

    async fn open(&self) -> Result<MySqlConnection, sqlx::Error> {
        MySqlConnection::connect_with(&self.0).await
    }

    /// A user of this database's own.
    async fn user(&self, options: &str) -> Result<MySqlConnectOptions, sqlx::Error> {
        let (mut root, Self(connect, name)) = (self.open().await?, self);
        run(&mut root, &format!("CREATE USER {name}@localhost {options}")).await?;
        run(&mut root, &format!("GRANT ALL ON {name}.* TO {name}@localhost")).await?;
        Ok(connect.clone().username(name))
    }
}

async fn run(connection: &mut MySqlConnection, sql: &str) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(connection).await?;
    Ok(())
}

#[tokio::test]
async fn a_deadlock_is_a_conflict_for_the_one_that_gives_way() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let (mut first, mut second) = (database.open().await?, database.open().await?);
    run(&mut first, "BEGIN").await?;
    run(&mut second, "BEGIN").await?;
    run(&mut first, "UPDATE accounts SET balance = 0 WHERE id = 1").await?;
    run(&mut second, "UPDATE accounts SET balance = 0 WHERE id = 2").await?;
    let (one, other) = tokio::join!(
        run(&mut first, "UPDATE accounts SET balance = 0 WHERE id = 2"),
        run(&mut second, "UPDATE accounts SET balance = 0 WHERE id = 1"),
    );
    let verdicts = [verdict(one), verdict(other)];
    let deadlock = Some((Conflict, NotExecuted, "er_lock_deadlock"));
    assert!(verdicts.contains(&deadlock) && verdicts.contains(&None), "{verdicts:?}");
    Ok(())
}

#[tokio::test]
async fn what_the_server_refuses_for_now_may_be_asked_again() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let (mut holds, mut asks) = (database.open().await?, database.open().await?);
    run(&mut holds, "BEGIN; UPDATE accounts SET balance = 0 WHERE id = 1").await?;
    let locked = Some((Conflict, NotExecuted, "er_lock_wait_timeout"));
    let no_wait = run(&mut asks, "SELECT * FROM accounts WHERE id = 1 FOR UPDATE NOWAIT").await;
    assert_eq!(verdict(no_wait), locked);

    let late = Some((Timeout, NotExecuted, "er_statement_timeout"));
    let slow = "SET STATEMENT max_statement_time = 0.001 FOR SELECT SLEEP(60)";
    assert_eq!(verdict(run(&mut asks, slow).await), late);

    let read_only = "er_cant_execute_in_read_only_transaction";
    let write = run(&mut asks, "START TRANSACTION READ ONLY; DELETE FROM accounts").await;
    assert_eq!(verdict(write), Some((Transient, NotExecuted, read_only)));

    let few = database.user("WITH MAX_USER_CONNECTIONS 1").await?;
    let _only = MySqlConnection::connect_with(&few).await?;
    let full = Some((Throttled, NotExecuted, "er_user_limit_reached"));
    assert_eq!(verdict(MySqlConnection::connect_with(&few).await), full);
    Ok(())
}

#[tokio::test]
async fn a_session_that_the_server_ended_may_have_been_committed() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let mut killed = database.open().await?;
    let ended = verdict(run(&mut killed, "KILL CONNECTION_ID()").await);
    assert_eq!(ended, Some((Transient, MaybeExecuted, "er_connection_killed")));
    Ok(())
}

#[tokio::test]
async fn what_is_wrong_with_a_statement_is_permanent_and_an_answer() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let mut connection = database.open().await?;
    for (statement, label) in [
        ("INSERT INTO accounts VALUES (1, 1)", "integrity_constraint_violation"),
        ("SELEC 1", "syntax_error_or_access_rule_violation"),
        ("SIGNAL SQLSTATE '45000'", "user_defined_exception"),
    ] {
        let refused = run(&mut connection, statement).await;
        assert_eq!(verdict(refused), Some((Permanent, Executed, label)));
    }
    let stranger = MySqlConnection::connect_with(&database.0.clone().username("nobody")).await;
    assert_eq!(verdict(stranger).map(|verdict| verdict.0), Some(Permanent));
    Ok(())
}

/// The one in the way is gone before the third attempt.
#[retry(base = "1ms", max = "2ms", attempts = 4)]
async fn add(
    connection: &mut MySqlConnection,
    other: &mut MySqlConnection,
) -> Result<(), sqlx::Error> {
    if stormless::current().is_some_and(|attempt| attempt.number() == 3) {
        run(other, "COMMIT").await?;
    }
    let mut transaction = connection.begin().await?;
    let read = "SELECT balance FROM accounts WHERE id = 1 FOR UPDATE NOWAIT";
    let balance: i32 = sqlx::query_scalar(read).fetch_one(&mut *transaction).await?;
    let write = sqlx::query("UPDATE accounts SET balance = ? WHERE id = 1").bind(balance + 1);
    write.execute(&mut *transaction).await?;
    transaction.commit().await
}

#[tokio::test]
async fn a_transaction_is_repeated_as_a_whole_and_sees_what_it_waited_for() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let (mut connection, mut other) = (database.open().await?, database.open().await?);
    run(&mut other, "BEGIN; UPDATE accounts SET balance = 7 WHERE id = 1").await?;
    let (result, calls) = isolated(report(add(&mut connection, &mut other))).await;
    result?;
    assert_eq!(calls[0].attempts(), 3);
    let balance = sqlx::query_scalar::<_, i32>("SELECT balance FROM accounts WHERE id = 1");
    assert_eq!(balance.fetch_one(&mut connection).await?, 8);
    Ok(())
}
