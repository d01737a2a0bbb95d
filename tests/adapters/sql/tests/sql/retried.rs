//! Whole functions under `#[retry]`: the one that opens the transaction is the one that is repeated.

use sqlx::{Connection, PgConnection};
use stormless::{
    CallReport, FailedAttempt, Retryable, StopReason, current, report, retry, testing::isolated,
};
use tokio_postgres::{Client, IsolationLevel};

use crate::{
    Tested,
    driver::{Session, Sqlx, TokioPostgres},
    proxy::{AFTER, Proxy},
    server::Database,
};

async fn run<F: Future + Send>(call: F) -> (F::Output, CallReport) {
    let (result, mut calls) = isolated(report(call)).await;
    (result, calls.pop().expect("there was a call"))
}

fn labels(call: &CallReport) -> Vec<&'static str> {
    call.failures().iter().map(FailedAttempt::label).collect()
}

/// What makes the first attempts lose, after they have read and before they write.
async fn outdo(rival: &mut Sqlx, attempts: u32) -> Result<(), sqlx::Error> {
    if current().is_some_and(|attempt| attempt.number() <= attempts) {
        rival.run("UPDATE accounts SET balance = balance + 1 WHERE id = 1").await?;
    }
    Ok(())
}

/// Nothing says `idempotent`: what was rolled back may be repeated.
#[retry(base = "1ms", max = "2ms", attempts = 4)]
async fn withdraw(
    connection: &mut PgConnection,
    rival: &mut Sqlx,
    outdone: u32,
    amount: i32,
) -> Result<i32, sqlx::Error> {
    let mut transaction = connection.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ").await?;
    let balance: i32 = sqlx::query_scalar("SELECT balance FROM accounts WHERE id = 1")
        .fetch_one(&mut *transaction)
        .await?;
    outdo(rival, outdone).await?;
    let left = balance - amount;
    sqlx::query("UPDATE accounts SET balance = $1 WHERE id = 1")
        .bind(left)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(left)
}

#[tokio::test]
async fn a_transaction_is_repeated_as_a_whole_and_sees_what_it_lost_to() -> Tested {
    let Some(mut database) = Database::create().await? else { return Ok(()) };
    let (mut session, mut rival): (Sqlx, Sqlx) = (database.open().await?, database.open().await?);
    let (left, call) = run(withdraw(&mut session.0, &mut rival, 2, 30)).await;
    // Twice somebody else had put one in between.
    assert_eq!(left?, 72);
    assert_eq!(labels(&call), ["serialization_failure"; 2]);
    assert_eq!(call.attempts(), 3);

    let (left, call) = run(withdraw(&mut session.0, &mut rival, 9, 30)).await;
    assert_eq!(left.map_err(|error| error.label()), Err("serialization_failure"));
    assert_eq!((call.attempts(), call.reason()), (4, Some(StopReason::AttemptsExhausted)));
    assert_eq!(database.number("SELECT balance::int8 FROM accounts WHERE id = 1").await?, 76);
    Ok(())
}

/// The error that services have, around that of the driver.
#[derive(Debug, Retryable)]
enum BankError {
    #[retryable(forward)]
    Database(tokio_postgres::Error),
    #[retryable(deadline_exceeded)]
    OutOfTime,
}

impl From<tokio_postgres::Error> for BankError {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Database(error)
    }
}

#[retry(base = "1ms", max = "2ms", attempts = 4, deadline = "60s")]
async fn deposit(client: &mut Client, rival: &mut Sqlx, amount: i32) -> Result<i32, BankError> {
    let transaction =
        client.build_transaction().isolation_level(IsolationLevel::Serializable).start().await?;
    let balance = "SELECT balance FROM accounts WHERE id = 1";
    let balance: i32 = transaction.query_one(balance, &[]).await?.try_get(0)?;
    outdo(rival, 1).await.map_err(|_| BankError::OutOfTime)?;
    let write = "UPDATE accounts SET balance = $1 WHERE id = 1";
    transaction.execute(write, &[&(balance + amount)]).await?;
    transaction.commit().await?;
    Ok(balance + amount)
}

#[tokio::test]
async fn an_error_around_the_driver_s_forwards_what_it_means_and_how_it_is_called() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let (mut session, mut rival): (TokioPostgres, Sqlx) =
        (database.open().await?, database.open().await?);
    let (balance, call) = run(deposit(&mut session.0, &mut rival, 30)).await;
    assert_eq!(balance.map_err(|error| error.label()), Ok(131));
    assert_eq!(call.attempts(), 2);
    Ok(())
}

/// Autocommit: the statement is the transaction.
#[retry(base = "1ms", max = "2ms", attempts = 3, classify = stormless::sqlx::classify)]
async fn add(target: &crate::driver::Target) -> Result<(), sqlx::Error> {
    let mut session = Sqlx::open(target).await?;
    session.run(&format!("UPDATE accounts SET balance = balance + 1 {AFTER}")).await
}

#[tokio::test]
async fn what_may_have_been_committed_is_not_repeated() -> Tested {
    let Some(mut database) = Database::create().await? else { return Ok(()) };
    let proxy = Proxy::start(&database.target).await?;
    let proxied = database.target.through(proxy.address);
    let (result, call) = run(add(&proxied)).await;
    assert!(result.is_err());
    assert_eq!((call.attempts(), call.reason()), (1, Some(StopReason::MaybeExecuted)));
    assert_eq!(database.number("SELECT balance::int8 FROM accounts WHERE id = 1").await?, 101);
    Ok(())
}
