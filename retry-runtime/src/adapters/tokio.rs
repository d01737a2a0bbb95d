//! Errors of tokio.

use std::error::Error;

use tokio::time::error::Elapsed;

use super::Verdict;
use crate::{Classification, Retryable};

/// The verdict on an error that is tokio's timeout.
pub(super) fn by_type(error: &(dyn Error + 'static)) -> Option<Verdict> {
    super::is::<Elapsed>(error)
}

/// A timeout that the body set for itself: nobody knows how far the work had got.
impl Retryable for Elapsed {
    fn classify(&self) -> Classification {
        Classification::timeout()
    }
    fn label(&self) -> &'static str {
        "elapsed"
    }
}

/// A task that was aborted was meant to stop, and one that panicked would panic again.
#[cfg(feature = "tokio-rt")]
impl Retryable for tokio::task::JoinError {
    fn classify(&self) -> Classification {
        if self.is_cancelled() { Classification::cancelled() } else { Classification::permanent() }
    }
    fn label(&self) -> &'static str {
        if self.is_cancelled() { "task_cancelled" } else { "task_panicked" }
    }
}
