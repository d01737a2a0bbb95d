//! Whole functions under `#[retry]`, whose error is the driver's.

use std::future::pending;

use redis::{RedisResult, aio::MultiplexedConnection};
use stormless::{
    CallReport, FailedAttempt, Retryable, StopReason, current, report, retry, testing::isolated,
};

use crate::{
    MaybeExecuted, Tested, Timeout,
    fake::{
        Fake,
        Reply::{Lost, Says},
    },
    real::{Real, run},
    verdict,
};

async fn reported<F: Future + Send>(call: F) -> (F::Output, CallReport) {
    let (result, mut calls) = isolated(report(call)).await;
    (result, calls.pop().expect("there was a call"))
}

/// The server has memory again before the third attempt.
#[retry(base = "1ms", max = "2ms", attempts = 4)]
async fn write(
    connection: &mut MultiplexedConnection,
    admin: &mut MultiplexedConnection,
) -> RedisResult<()> {
    if current().is_some_and(|attempt| attempt.number() == 3) {
        run(admin, &["CONFIG", "SET", "maxmemory", "0"]).await?;
    }
    run(connection, &["SET", "a", "1"]).await
}

#[tokio::test]
async fn a_write_is_repeated_until_there_is_memory() -> Tested {
    let Some(mut redis) = Real::start().await? else { return Ok(()) };
    redis.set("maxmemory", "1").await?;
    let mut connection = redis.connect().await?;
    let (result, call) = reported(write(&mut connection, &mut redis.admin)).await;
    result?;
    assert_eq!(call.attempts(), 3);
    let labels: Vec<_> = call.failures().iter().map(FailedAttempt::label).collect();
    assert_eq!(labels, ["out_of_memory"; 2]);
    Ok(())
}

#[retry(base = "1ms", max = "2ms", attempts = 4, classify = stormless::redis::classify)]
async fn count(fake: &Fake) -> RedisResult<i64> {
    let mut connection = fake.client()?.get_multiplexed_async_connection().await?;
    redis::cmd("INCR").arg("a").query_async(&mut connection).await
}

#[tokio::test]
async fn what_may_have_been_counted_is_not_counted_again() -> Tested {
    let fake = Fake::start().await?;
    fake.on("INCR", [Says("-LOADING now"), Lost]);
    let (result, call) = reported(count(&fake)).await;
    assert!(result.is_err());
    assert_eq!((call.attempts(), call.reason()), (2, Some(StopReason::MaybeExecuted)));
    assert_eq!(fake.seen("INCR"), 2);
    Ok(())
}

#[retry(attempt_timeout = "1s", deadline = "10s", attempts = 2, idempotent)]
async fn slow() -> RedisResult<()> {
    pending().await
}

#[retry]
async fn inherits() -> RedisResult<()> {
    pending().await
}

#[retry(deadline = "3s")]
async fn opens() -> RedisResult<()> {
    inherits().await
}

#[tokio::test(start_paused = true)]
async fn errors_of_the_driver_report_cuts() -> Tested {
    let (result, call) = reported(slow()).await;
    assert!(result.as_ref().is_err_and(redis::RedisError::is_timeout));
    assert_eq!(verdict(result), (Timeout, MaybeExecuted, "attempt_timeout"));
    assert_eq!(call.attempts(), 2);
    let (result, _) = reported(opens()).await;
    assert_eq!(result.map_err(|error| error.label()), Err("deadline_exceeded"));
    Ok(())
}
