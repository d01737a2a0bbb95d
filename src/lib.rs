//! Retries that cannot become the outage.

pub use retry_macros::retry;
pub use retry_runtime::*;
