//! Statements and transactions that the server refuses.

use crate::{
    Conflict, Executed, MaybeExecuted, NotExecuted, Permanent, Tested, Timeout, Transient, Verdict,
    driver::{Session, Sqlx, TokioPostgres},
    fine,
    server::Database,
    verdict,
};

const SERIALIZATION_FAILURE: Verdict = (Conflict, NotExecuted, "serialization_failure");

/// Both have read what the other one writes.
async fn loses<S: Session>() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let (mut first, mut second) =
        (fine(database.open::<S>().await), fine(database.open::<S>().await));
    for session in [&mut first, &mut second] {
        fine(session.run("BEGIN ISOLATION LEVEL SERIALIZABLE").await);
        fine(session.run("SELECT sum(balance) FROM accounts").await);
    }
    fine(first.run("UPDATE accounts SET balance = 0 WHERE id = 1").await);
    fine(second.run("UPDATE accounts SET balance = 0 WHERE id = 2").await);
    fine(first.run("COMMIT").await);
    // It is the commit that fails, and still nothing was carried out.
    assert_eq!(verdict(second.run("COMMIT").await), Some(SERIALIZATION_FAILURE));
    Ok(())
}

#[tokio::test]
async fn a_transaction_that_loses_to_another_is_a_conflict_and_was_rolled_back() -> Tested {
    loses::<Sqlx>().await?;
    loses::<TokioPostgres>().await
}

async fn deadlocks<S: Session>() -> Tested {
    let Some(mut database) = Database::create().await? else { return Ok(()) };
    let (mut first, mut second) =
        (fine(database.open::<S>().await), fine(database.open::<S>().await));
    fine(first.run("SET deadlock_timeout = '1h'").await);
    // Whoever looks first is the one who gives way.
    fine(second.run("SET deadlock_timeout = '1ms'").await);
    fine(first.run("BEGIN; UPDATE accounts SET balance = 0 WHERE id = 1").await);
    fine(second.run("BEGIN; UPDATE accounts SET balance = 0 WHERE id = 2").await);
    let waits = first.run("UPDATE accounts SET balance = 0 WHERE id = 2");
    let circle = async {
        fine(database.somebody_waits().await);
        second.run("UPDATE accounts SET balance = 0 WHERE id = 1").await
    };
    let (waited, broken) = tokio::join!(waits, circle);
    fine(waited);
    assert_eq!(verdict(broken), Some((Conflict, NotExecuted, "deadlock_detected")));
    Ok(())
}

#[tokio::test]
async fn a_deadlock_is_a_conflict_and_was_rolled_back() -> Tested {
    deadlocks::<Sqlx>().await?;
    deadlocks::<TokioPostgres>().await
}

async fn refused<S: Session>() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let (mut holds, mut asks) =
        (fine(database.open::<S>().await), fine(database.open::<S>().await));
    fine(holds.run("BEGIN; UPDATE accounts SET balance = 0 WHERE id = 1").await);

    let locked = Some((Transient, NotExecuted, "lock_not_available"));
    let no_wait = "SELECT * FROM accounts WHERE id = 1 FOR UPDATE NOWAIT";
    assert_eq!(verdict(asks.run(no_wait).await), locked);
    let short_wait = "SET lock_timeout = '1ms'; UPDATE accounts SET balance = 1 WHERE id = 1";
    assert_eq!(verdict(asks.run(short_wait).await), locked);

    let late = Some((Timeout, NotExecuted, "query_canceled"));
    fine(asks.run("SET lock_timeout = 0; SET statement_timeout = '1ms'").await);
    assert_eq!(verdict(asks.run("UPDATE accounts SET balance = 1 WHERE id = 1").await), late);
    fine(asks.run("SET statement_timeout = 0").await);

    let read_only = Some((Transient, NotExecuted, "read_only_sql_transaction"));
    fine(asks.run("BEGIN READ ONLY").await);
    assert_eq!(verdict(asks.run("DELETE FROM accounts").await), read_only);
    // What a repetition of the statement alone would come to.
    let failed = Some((Permanent, Executed, "in_failed_sql_transaction"));
    assert_eq!(verdict(asks.run("DELETE FROM accounts").await), failed);
    fine(asks.run("ROLLBACK").await);
    Ok(())
}

#[tokio::test]
async fn what_somebody_else_holds_or_a_replica_refuses_may_be_asked_again() -> Tested {
    refused::<Sqlx>().await?;
    refused::<TokioPostgres>().await
}

async fn answered<S: Session>() -> Tested {
    let Some(mut database) = Database::create().await? else { return Ok(()) };
    database.admin.run("ALTER TABLE accounts ADD CHECK (balance >= 0)").await?;
    let mut session = fine(database.open::<S>().await);
    for (statement, label) in [
        ("INSERT INTO accounts VALUES (1, 5)", "unique_violation"),
        ("INSERT INTO accounts VALUES (3, NULL)", "not_null_violation"),
        ("UPDATE accounts SET balance = -1", "check_violation"),
        ("SELECT 1 / 0", "data_exception"),
        ("SELEC 1", "syntax_error"),
        ("SELECT * FROM nowhere", "undefined_table"),
        ("DO $$ BEGIN RAISE 'no' USING ERRCODE = 'ZZ001'; END $$", "_OTHER"),
        ("DO $$ BEGIN RAISE 'no'; END $$", "plpgsql_error"),
    ] {
        assert_eq!(verdict(session.run(statement).await), Some((Permanent, Executed, label)));
    }
    Ok(())
}

#[tokio::test]
async fn what_is_wrong_with_a_statement_is_permanent_and_an_answer() -> Tested {
    answered::<Sqlx>().await?;
    answered::<TokioPostgres>().await
}

#[tokio::test]
async fn what_the_drivers_find_in_an_answer_is_permanent() -> Tested {
    let Some(mut database) = Database::create().await? else { return Ok(()) };
    let session: TokioPostgres = database.open().await?;
    let nobody = "SELECT balance FROM accounts WHERE id = 9";
    let row = sqlx::query(nobody).fetch_one(&mut database.admin.0).await;
    assert_eq!(verdict(row), Some((Permanent, Executed, "row_not_found")));
    let text = sqlx::query_scalar::<_, String>("SELECT 1").fetch_one(&mut database.admin.0).await;
    assert_eq!(verdict(text), Some((Permanent, Executed, "column_decode")));
    let row = session.0.query_one(nobody, &[]).await;
    assert_eq!(verdict(row), Some((Permanent, MaybeExecuted, "_OTHER")));
    Ok(())
}
