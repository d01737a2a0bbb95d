//! What is one statement as a rule.

use std::{sync::Arc, time::Duration};

use services::postgres::{Account, Accounts, Filter, PgAccounts, StoreError};
use stormless::StopReason;

use crate::{Tested, database::Database, state, support::run};

fn account(id: i64, balance: i64) -> Account {
    Account { id, owner: "ada".into(), balance }
}

#[tokio::test]
async fn a_read_survives_a_conflict_too_many_connections_and_its_own_connections_death() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let accounts: Arc<dyn Accounts> = Arc::new(database.accounts()?);
    database.given(&[70]).await?;
    database.fail("select", &["40001", "53300", "killed"]).await?;
    let (result, ran) = run(accounts.find(1)).await;
    assert_eq!((result?, ran.attempts("find")), (Some(account(1, 70)), vec![4]));
    let (result, ran) = run(accounts.find(2)).await;
    assert_eq!((result?, ran.attempts("find")), (None, vec![1]));
    assert_eq!(database.calls("select").await?, 5);
    Ok(())
}

#[tokio::test]
async fn what_is_not_worth_a_retry_is_asked_once() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let accounts = database.accounts()?;
    for refusal in ["42501", "22012", "XX000"] {
        database.fail("select", &[refusal]).await?;
        let (result, ran) = run(accounts.find(1)).await;
        assert_eq!((state(&result), ran.attempts("find")), (Some(refusal), vec![1]));
        assert_eq!(ran.reason("find"), Some(StopReason::Permanent));
    }
    assert_eq!(database.calls("select").await?, 3);
    Ok(())
}

#[tokio::test]
async fn lists_counts_and_existence_are_read_again() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let accounts = database.accounts()?;
    database.given(&[70, 5, 80]).await?;
    database.fail("select", &["57014", "53200"]).await?;
    let filter = Filter { owner: Some("ada"), at_least: 10 };
    let (result, ran) = run(accounts.list(filter, 10)).await;
    assert_eq!((result?, ran.attempts("list")), (vec![account(1, 70), account(3, 80)], vec![3]));

    database.fail("select", &["57P01"]).await?;
    let (result, ran) = run(accounts.exists(2)).await;
    assert_eq!((result?, ran.attempts("exists")), (true, vec![2]));

    database.fail("select", &["08006", "40P01", "killed"]).await?;
    let (result, ran) = run(accounts.count("ada")).await;
    assert_eq!((result?, ran.attempts("count")), (3, vec![4]));
    assert_eq!(database.calls("select").await?, 9);
    Ok(())
}

#[tokio::test]
async fn an_insertion_is_repeated_only_where_it_was_rolled_back() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let accounts = database.accounts()?;
    database.fail("insert", &["40001", "53300"]).await?;
    let (result, ran) = run(accounts.insert(account(1, 70))).await;
    result?;
    assert_eq!(ran.attempts("insert"), [3]);

    let (result, ran) = run(accounts.insert(account(1, 70))).await;
    assert_eq!((state(&result), ran.attempts("insert")), (Some("23505"), vec![1]));

    database.fail("insert", &["40001", "killed"]).await?;
    let (result, ran) = run(accounts.insert(account(2, 70))).await;
    assert_eq!((state(&result), ran.attempts("insert")), (Some("57P01"), vec![2]));
    assert_eq!(ran.reason("insert"), Some(StopReason::MaybeExecuted));
    assert_eq!(database.calls("insert").await?, 6);
    assert_eq!(database.rows().await?, [(1, "ada".into(), 70)]);
    Ok(())
}

#[tokio::test]
async fn a_batch_is_inserted_as_a_whole_by_each_attempt() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let accounts = database.accounts()?;
    database.fail("insert", &["", "40P01"]).await?;
    let batch = vec![account(1, 1), account(2, 2), account(3, 3)];
    let (result, ran) = run(accounts.insert_all(batch)).await;
    assert_eq!((result?, ran.attempts("insert_all")), (3, vec![2]));
    assert_eq!((database.calls("insert").await?, database.rows().await?.len()), (5, 3));
    Ok(())
}

#[tokio::test]
async fn what_comes_out_the_same_is_written_again_after_a_lost_connection() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let accounts = database.accounts()?;
    database.given(&[70]).await?;
    database.fail("insert", &["killed", "08006"]).await?;
    let (result, ran) = run(accounts.upsert(&account(1, 71))).await;
    result?;
    assert_eq!((ran.attempts("upsert"), database.calls("insert").await?), (vec![3], 3));
    assert_eq!(database.rows().await?, [(1, "ada".into(), 71)]);

    database.fail("delete", &["killed", "40001"]).await?;
    let (result, ran) = run(accounts.delete(1)).await;
    assert_eq!((result?, ran.attempts("delete")), (true, vec![3]));
    let (result, ran) = run(accounts.delete(1)).await;
    assert_eq!((result?, ran.attempts("delete")), (false, vec![1]));
    assert_eq!((database.calls("delete").await?, database.rows().await?.len()), (4, 0));
    Ok(())
}

#[tokio::test]
async fn a_row_that_has_changed_is_read_again_before_it_is_written() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let accounts = database.accounts()?;
    database.given(&[70]).await?;
    // Each attempt reads twice: the version, and the row that has it.
    database.fail("select", &["", "nothing", "", "nothing"]).await?;
    let (result, ran) = run(accounts.rename(1, "grace".into())).await;
    result?;
    assert_eq!((ran.attempts("rename"), ran.labels("rename")), (vec![3], vec!["Stale", "Stale"]));
    assert_eq!(database.rows().await?, [(1, "grace".into(), 70)]);

    let (result, ran) = run(accounts.rename(2, "grace".into())).await;
    assert!(matches!(result, Err(StoreError::NotFound { id: 2 })));
    assert_eq!((ran.attempts("rename"), database.calls("select").await?), (vec![1], 7));
    Ok(())
}

#[tokio::test]
async fn a_default_method_retries_for_what_it_calls() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let accounts: Box<dyn Accounts> = Box::new(database.accounts()?);
    database.given(&[70, 5]).await?;
    database.fail("select", &["40001", "killed"]).await?;
    let (result, ran) = run(accounts.get(1)).await;
    assert_eq!(result?, account(1, 70));
    assert_eq!((ran.attempts("get"), ran.attempts("find")), (vec![3], vec![1, 1, 1]));

    let (result, ran) = run(accounts.get(9)).await;
    assert!(matches!(result, Err(StoreError::NotFound { id: 9 })));
    assert_eq!((ran.attempts("get"), ran.attempts("find")), (vec![1], vec![1]));

    database.fail("select", &["53300"]).await?;
    let (result, ran) = run(accounts.wealth("ada".into())).await;
    assert_eq!(result?, 75);
    assert_eq!((ran.attempts("wealth"), ran.attempts("list")), (vec![2], vec![1, 1]));
    assert_eq!(database.calls("select").await?, 6);
    Ok(())
}

#[tokio::test]
async fn a_pool_without_a_free_connection_is_asked_again_but_no_database() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let pool = database.pool(1, Duration::from_millis(2))?;
    let accounts = PgAccounts::new(pool.clone());
    let taken = pool.get().await?;
    let (result, ran) = run(accounts.insert(account(1, 70))).await;
    assert!(matches!(result, Err(StoreError::Pool(_))));
    assert_eq!(ran.attempts("insert"), [4]);
    assert_eq!(ran.reason("insert"), Some(StopReason::AttemptsExhausted));
    assert_eq!(database.calls("insert").await?, 0);
    drop(taken);
    run(accounts.insert(account(1, 70))).await.0?;
    assert_eq!(database.rows().await?, [(1, "ada".into(), 70)]);
    Ok(())
}
