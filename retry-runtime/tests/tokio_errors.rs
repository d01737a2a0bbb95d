//! How errors of tokio are classified.

use std::future::pending;
use std::time::Duration;

use retry_runtime::{Classification, Retryable};
use tokio::time::error::Elapsed;

async fn elapsed() -> Elapsed {
    tokio::time::timeout(Duration::from_secs(1), pending::<()>()).await.unwrap_err()
}

#[tokio::test(start_paused = true)]
async fn a_timeout_set_by_the_body_may_have_executed() {
    let elapsed = elapsed().await;
    assert_eq!(elapsed.classify(), Classification::timeout());
    assert_eq!(elapsed.label(), "elapsed");
}

#[tokio::test(start_paused = true)]
async fn a_timeout_inside_an_io_error_is_still_a_timeout() {
    let converted = std::io::Error::from(elapsed().await);
    assert_eq!(converted.classify(), Classification::timeout());

    let wrapped = std::io::Error::other(elapsed().await);
    assert_eq!(wrapped.classify(), Classification::timeout());
    assert_eq!(wrapped.label(), "elapsed");
}

// R049
#[cfg(feature = "tokio-rt")]
#[tokio::test]
async fn an_aborted_task_was_cancelled() {
    let task = tokio::spawn(pending::<()>());
    task.abort();
    let error = task.await.unwrap_err();
    assert_eq!(error.classify(), Classification::cancelled());
    assert_eq!(error.label(), "task_cancelled");
}

#[cfg(feature = "tokio-rt")]
#[tokio::test]
async fn a_task_that_panicked_is_permanent() {
    let error = tokio::spawn(async { panic!("a bug in the task") }).await.unwrap_err();
    assert_eq!(error.classify(), Classification::permanent());
    assert_eq!(error.label(), "task_panicked");
}
