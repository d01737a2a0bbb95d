//! What is more than one statement: transactions, locks, and an outbox on one connection.

use std::error::Error;

use services::postgres::{Accounts, Message, Outbox, PATIENT, PgOutbox, StoreError};

use crate::{Tested, database::Database, state, support::run};

#[tokio::test]
async fn a_transaction_that_fails_in_the_middle_or_at_its_end_is_run_again() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let accounts = database.accounts()?;
    database.given(&[70, 5]).await?;
    database.fail("update", &["", "40001"]).await?;
    database.fail("commit", &["", "40001"]).await?;
    let (result, ran) = run(accounts.transfer(1, 2, 30)).await;
    result?;
    assert_eq!(ran.attempts("transfer"), [3]);
    assert_eq!((database.calls("update").await?, database.calls("commit").await?), (6, 4));
    assert_eq!(database.rows().await?, [(1, "ada".into(), 40), (2, "ada".into(), 35)]);

    let (result, ran) = run(accounts.transfer(1, 2, 41)).await;
    assert!(matches!(result, Err(StoreError::Insufficient)));
    assert_eq!(ran.attempts("transfer"), [1]);
    let (result, ran) = run(accounts.transfer(1, 3, 1)).await;
    assert!(matches!(result, Err(StoreError::NotFound { id: 3 })));
    assert_eq!(ran.attempts("transfer"), [1]);
    assert_eq!(database.rows().await?, [(1, "ada".into(), 40), (2, "ada".into(), 35)]);
    Ok(())
}

#[tokio::test]
async fn a_transaction_that_loses_to_another_sees_what_that_one_wrote() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let accounts = database.accounts()?;
    database.given(&[70, 5]).await?;
    let other = database.connect().await?;
    other.batch_execute("BEGIN; UPDATE account_rows SET balance = 100 WHERE id = 1").await?;
    let wins = async {
        database.somebody_waits().await?;
        Ok::<_, Box<dyn Error>>(other.batch_execute("COMMIT").await?)
    };
    // What loses here was scripted by nobody: the server itself says 40001.
    let ((result, ran), won) = tokio::join!(run(accounts.transfer(1, 2, 30)), wins);
    result?;
    won?;
    assert_eq!((ran.attempts("transfer"), ran.labels("transfer")), (vec![2], vec!["Database"]));
    assert_eq!(database.rows().await?, [(1, "ada".into(), 70), (2, "ada".into(), 35)]);
    Ok(())
}

#[tokio::test]
async fn a_closure_works_in_each_attempts_own_transaction() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let accounts = database.accounts()?;
    database.given(&[70]).await?;
    database.fail("update", &["40P01"]).await?;
    database.fail("commit", &["40001"]).await?;
    let owner = String::from("grace");
    let rename = run(accounts.in_transaction(|transaction| {
        let owner = owner.clone();
        Box::pin(async move {
            let rename = "UPDATE accounts SET owner = $1 WHERE id = 1";
            Ok(transaction.execute(rename, &[&owner]).await?)
        })
    }));
    let (result, ran) = rename.await;
    assert_eq!((result?, ran.attempts("in_transaction")), (1, vec![3]));
    assert_eq!((database.calls("update").await?, database.calls("commit").await?), (3, 2));
    assert_eq!(database.rows().await?, [(1, "grace".into(), 70)]);
    Ok(())
}

#[tokio::test]
async fn a_lock_is_asked_for_as_often_as_its_class_allows() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let accounts = database.accounts()?;
    database.given(&[100]).await?;
    database.client.execute("SELECT pg_advisory_lock(1)", &[]).await?;
    let (result, ran) = run(accounts.pay_interest(1, 5)).await;
    assert!(matches!(result, Err(StoreError::Locked)));
    assert_eq!(ran.attempts("pay_interest"), [3]);
    assert_eq!(database.calls("update").await?, 0);

    database.client.execute("SELECT pg_advisory_unlock(1)", &[]).await?;
    database.fail("update", &["40P01"]).await?;
    let (result, ran) = run(accounts.pay_interest(1, 5)).await;
    assert_eq!((result?, ran.attempts("pay_interest")), (105, vec![2]));
    assert_eq!(database.calls("update").await?, 2);
    Ok(())
}

#[tokio::test]
async fn an_outbox_on_one_connection_retries_behind_a_mutable_borrow() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let mut outbox = PgOutbox::new(database.connect().await?, PATIENT.attempts(3));
    let message = |body: &str| Message { topic: "orders".into(), body: body.into() };
    database.fail("insert", &["40001", "40P01"]).await?;
    let (result, ran) = run(outbox.push(message("one"))).await;
    result?;
    assert_eq!(ran.attempts("push"), [3]);
    run(outbox.push(message("two"))).await.0?;
    run(outbox.push(message("three"))).await.0?;
    assert_eq!(database.calls("insert").await?, 5);

    database.fail("delete", &["40001"]).await?;
    let (result, ran) = run(outbox.take(2)).await;
    assert_eq!((result?, ran.attempts("take")), (vec![message("one"), message("two")], vec![2]));
    database.fail("delete", &["53300", "40001"]).await?;
    let (result, ran) = run(outbox.take_one()).await;
    assert_eq!(result?, Some(message("three")));
    assert_eq!((ran.attempts("take_one"), ran.attempts("take")), (vec![3], vec![1, 1, 1]));
    assert_eq!((database.calls("delete").await?, outbox.repeated()), (5, 3));
    database.fail("delete", &["40001", "40001", "40001"]).await?;
    let (result, ran) = run(outbox.take(1)).await;
    assert_eq!((state(&result), ran.attempts("take")), (Some("40001"), vec![3]));

    // A connection of its own is not replaced, and what may have been pushed is not pushed again.
    database.fail("insert", &["killed"]).await?;
    let (result, ran) = run(outbox.push(message("four"))).await;
    assert_eq!((state(&result), ran.attempts("push")), (Some("57P01"), vec![1]));
    Ok(())
}
