//! The lock, on connections that are not made anew by themselves.

use redis::Client;
use services::redis::{CacheError, acquire, held_by, ping};

use crate::{
    LEASE, LOADING, TRY_AGAIN, Tested, client,
    proxy::Fault::{LostAfter, LostBefore},
    support::run,
};

#[tokio::test]
async fn a_lock_is_taken_once_kept_and_given_back() -> Tested {
    let Some((proxy, client)) = client().await? else { return Ok(()) };
    let mut connection = client.get_multiplexed_async_connection().await?;
    proxy.on("SET", [LOADING, TRY_AGAIN]);
    let (result, ran) = run(acquire(connection.clone(), "lock", "ada", LEASE)).await;
    let mut lock = result?;
    assert_eq!((ran.attempts("acquire"), proxy.seen("SET")), (vec![3], 3));

    // Somebody else tries four times; who has it already has it at once.
    let (result, ran) = run(acquire(connection.clone(), "lock", "grace", LEASE)).await;
    assert!(matches!(result, Err(CacheError::Held)));
    assert_eq!((ran.attempts("acquire"), ran.attempts("held_by")), (vec![4], vec![1; 4]));
    let (result, ran) = run(acquire(connection.clone(), "lock", "ada", LEASE)).await;
    drop(result?);
    assert_eq!((ran.attempts("acquire"), proxy.seen("SET")), (vec![1], 8));

    proxy.on("PEXPIRE", [LOADING]);
    let (result, ran) = run(lock.extend(LEASE)).await;
    result?;
    assert_eq!((ran.attempts("extend"), proxy.seen("PEXPIRE")), (vec![2], 2));

    proxy.on("GET", [LOADING]);
    let (result, ran) = run(held_by(&mut connection, "lock")).await;
    assert_eq!((result?.as_deref(), ran.attempts("held_by")), (Some("ada"), vec![2]));

    proxy.on("EVALSHA", [LOADING, TRY_AGAIN]);
    let (result, ran) = run(lock.release()).await;
    assert_eq!((result?, ran.attempts("release")), (true, vec![3]));
    assert_eq!(held_by(&mut connection, "lock").await?, None);
    Ok(())
}

#[tokio::test]
async fn a_lock_that_ran_out_is_lost() -> Tested {
    let Some((proxy, client)) = client().await? else { return Ok(()) };
    let connection = client.get_multiplexed_async_connection().await?;
    let mut lock = acquire(connection.clone(), "lock", "ada", LEASE).await?;
    redis::cmd("DEL").arg("lock").exec_async(&mut connection.clone()).await?;
    let (result, ran) = run(lock.extend(LEASE)).await;
    assert!(matches!(result, Err(CacheError::Lost)));
    assert_eq!(ran.attempts("extend"), [1]);
    let (result, ran) = run(lock.release()).await;
    assert_eq!((result?, ran.attempts("release")), (false, vec![1]));
    assert_eq!(proxy.seen("PEXPIRE"), 1);
    Ok(())
}

#[tokio::test]
async fn a_connection_that_each_attempt_opens_may_be_lost_each_time() -> Tested {
    let Some((proxy, client)) = client().await? else { return Ok(()) };
    proxy.on("PING", [LostBefore, LostAfter, LOADING]);
    let (result, ran) = run(ping(&client)).await;
    assert_eq!((result?.as_str(), ran.attempts("ping"), proxy.seen("PING")), ("PONG", vec![4], 4));

    let nobody = tokio::net::TcpListener::bind("127.0.0.1:0").await?.local_addr()?;
    let nobody = Client::open(format!("redis://{nobody}"))?;
    let (result, ran) = run(ping(&nobody)).await;
    assert!(result.is_err());
    assert_eq!(ran.attempts("ping"), [4]);
    Ok(())
}
