//! What they wait for, and what they fail with. Nothing fires here.

use stormless::{AttemptTimeout, Classification, DeadlineExceeded, Retryable};

/// What all of them fail with.
#[derive(Debug)]
pub struct Failure;

impl Retryable for Failure {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

impl From<AttemptTimeout> for Failure {
    fn from(_: AttemptTimeout) -> Self {
        Self
    }
}

impl From<DeadlineExceeded> for Failure {
    fn from(_: DeadlineExceeded) -> Self {
        Self
    }
}

/// Something to wait for.
///
/// # Errors
///
/// Never, but nobody knows.
pub async fn work() -> Result<u32, Failure> {
    tokio::task::yield_now().await;
    Ok(1)
}
