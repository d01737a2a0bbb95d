//! The pool of sqlx, which keeps what it has tried to itself.

use std::time::Duration;

use sqlx::postgres::PgPoolOptions;
use stormless::Retryable;

use crate::{
    NotExecuted, Permanent, Tested, Throttled, Transient,
    driver::{Session, Sqlx},
    proxy::Proxy,
    server::Database,
    verdict,
};

#[tokio::test]
async fn an_exhausted_pool_is_this_process_s_own_failure() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(Duration::from_secs(10))
        .connect_with(database.target.sqlx())
        .await?;
    let _only = pool.acquire().await?;
    tokio::time::pause();
    let exhausted = pool.acquire().await.expect_err("there is one connection");
    assert!(exhausted.classify().is_local());
    let full = Some((Throttled, NotExecuted, "pool_timed_out"));
    assert_eq!(verdict(Err::<(), _>(exhausted)), full);
    Ok(())
}

#[tokio::test]
async fn a_closed_pool_is_permanent() -> Tested {
    let Some(database) = Database::create().await? else { return Ok(()) };
    let pool = PgPoolOptions::new().connect_lazy_with(database.target.sqlx());
    pool.close().await;
    let closed = Some((Permanent, NotExecuted, "pool_closed"));
    assert_eq!(verdict(pool.acquire().await), closed);
    Ok(())
}

/// The hidden retries of sqlx: a pool connects again and again, as long as it may wait.
#[tokio::test]
async fn a_pool_hides_what_it_connected_for_in_vain_and_a_connection_does_not() -> Tested {
    let Some(mut database) = Database::create().await? else { return Ok(()) };
    let proxy = Proxy::start(&database.target).await?;
    let full = database.role("CONNECTION LIMIT 0").await?.through(proxy.address);
    let pool = PgPoolOptions::new()
        // Enough for more than one login on a machine that is busy elsewhere.
        .acquire_timeout(Duration::from_secs(3))
        .connect_lazy_with(full.sqlx());
    let hidden = Some((Throttled, NotExecuted, "pool_timed_out"));
    assert_eq!(verdict(pool.acquire().await), hidden);
    let connected = proxy.accepted();
    assert!(connected > 1, "{connected}");

    let shown = Some((Throttled, NotExecuted, "too_many_connections"));
    assert_eq!(verdict(Sqlx::open(&full).await), shown);
    // The login that the pool had given up may have been accepted meanwhile.
    assert!(proxy.accepted() > connected, "{connected}");
    let nobody = tokio::net::TcpListener::bind("127.0.0.1:0").await?.local_addr()?;
    let refused = Some((Transient, NotExecuted, "connection_refused"));
    assert_eq!(verdict(Sqlx::open(&full.through(nobody)).await), refused);
    Ok(())
}
