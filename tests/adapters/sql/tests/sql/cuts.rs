//! Errors of sqlx report cuts, as its `io::Error` does.

use std::{future::pending, time::Duration};

use stormless::{CallReport, StopReason, deadline, report, retry, testing::isolated};

use crate::{MaybeExecuted, Tested, Timeout, verdict};

#[retry(attempt_timeout = "1s", deadline = "10s", attempts = 2, idempotent)]
async fn slow() -> Result<(), sqlx::Error> {
    pending().await
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_takes_too_long_is_cut_and_is_an_error_of_sqlx() -> Tested {
    let (result, calls) = isolated(report(slow())).await;
    assert!(matches!(result, Err(sqlx::Error::Io(_))));
    assert_eq!(verdict(result), Some((Timeout, MaybeExecuted, "attempt_timeout")));
    assert_eq!((calls[0].attempts(), calls[0].reason()), (2, Some(StopReason::AttemptsExhausted)));
    Ok(())
}

#[retry(attempts = 2)]
async fn inherits() -> Result<(), sqlx::Error> {
    pending().await
}

#[retry(deadline = "3s", attempts = 1)]
async fn opens() -> Result<(), sqlx::Error> {
    inherits().await
}

#[tokio::test(start_paused = true)]
async fn an_inherited_deadline_cuts_a_call_whose_error_is_of_sqlx() -> Tested {
    let (result, calls) = isolated(report(opens())).await;
    assert_eq!(verdict(result).map(|verdict| verdict.2), Some("deadline_exceeded"));
    let inner = calls.iter().find(|call| call.site().ends_with("inherits"));
    assert_eq!(inner.and_then(CallReport::reason), Some(StopReason::DeadlineExceeded));
    let outside = deadline::within(Duration::from_secs(1), slow()).await;
    assert!(outside.is_ok_and(|result| result.is_err()), "the call reports the deadline itself");
    Ok(())
}
