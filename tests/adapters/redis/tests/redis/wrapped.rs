//! Errors of redis inside errors of one's own, and errors of all kinds inside those of redis.

use std::{error::Error, fmt, io};

use redis::{RedisError, RedisResult};
use stormless::{
    Classification, FailedAttempt, Retryable, StopReason, report, retry, testing::isolated,
};

use crate::{
    Tested,
    fake::{
        Fake,
        Reply::{Lost, Says},
    },
};

#[derive(Debug, Retryable)]
enum CartError {
    #[retryable(forward)]
    Store(RedisError),
    #[retryable(permanent)]
    Empty,
}

#[retry(base = "1ms", max = "2ms", attempts = 4)]
async fn items(fake: &Fake) -> Result<i64, CartError> {
    let count = async {
        let mut connection = fake.client()?.get_multiplexed_async_connection().await?;
        redis::cmd("INCR").arg("a").query_async(&mut connection).await
    };
    let count: RedisResult<i64> = count.await;
    match count.map_err(CartError::Store)? {
        0 => Err(CartError::Empty),
        count => Ok(count),
    }
}

#[tokio::test]
async fn a_call_acts_on_an_error_of_redis_that_is_forwarded() -> Tested {
    let lost = Classification::transient().maybe_executed();
    let answered = Classification::permanent().executed();
    for (last, expected, reason) in [
        (Says(":7"), Ok(7), None),
        (Lost, Err(lost), Some(StopReason::MaybeExecuted)),
        (Says("-WRONGTYPE not a number"), Err(answered), Some(StopReason::Permanent)),
    ] {
        let fake = Fake::start().await?;
        fake.on("INCR", [Says("-LOADING now"), Says("-BUSY a script"), last]);
        let (counted, calls) = isolated(report(items(&fake))).await;
        let labels: Vec<_> = calls[0].failures().iter().map(FailedAttempt::label).collect();
        assert_eq!(labels[..2], ["loading", "busy"]);
        assert_eq!((calls[0].attempts(), calls[0].reason()), (3, reason));
        if let Err(CartError::Store(own)) = &counted {
            let forwarded = counted.as_ref().err().map(|error| (error.classify(), error.label()));
            assert_eq!(forwarded, Some((own.classify(), own.label())));
        }
        assert_eq!(counted.map_err(|error| error.classify()), expected);
    }
    let fake = Fake::start().await?;
    fake.on("INCR", [Says(":0")]);
    assert!(matches!(items(&fake).await, Err(CartError::Empty)));
    Ok(())
}

/// An error that names itself as its own cause.
#[derive(Debug)]
struct Cyclic;

impl fmt::Display for Cyclic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("round and round")
    }
}

impl Error for Cyclic {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

// R126
#[test]
fn a_cause_that_causes_itself_is_looked_at_for_a_while_and_is_permanent() {
    for cause in [io::Error::other(Cyclic), io::Error::other(io::Error::other(Cyclic))] {
        let error = RedisError::from(cause);
        assert_eq!((error.classify(), error.label()), (Classification::permanent(), "_OTHER"));
    }
}
