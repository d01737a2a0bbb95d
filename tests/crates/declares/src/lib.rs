//! One side of budgets that answer to their names across crates; `tests/crates.rs` is the other.
#![forbid(unsafe_code)]

use std::sync::atomic::{AtomicU32, Ordering};

use stormless::{Budget, Classification, Retryable, budget, retry};

budget! {
    /// Declared here, and named by whoever depends on this crate.
    pub static SHIPPING: Budget = Budget::new("crates.shipping").burst(3).ratio(0.5);
}

/// The dependency is down.
#[derive(Debug, PartialEq, Eq)]
pub struct Down;

impl Retryable for Down {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

/// Fails, counting its bodies; pays from a budget that this crate does not declare.
///
/// # Errors
///
/// Always.
#[retry(attempts = 2, backoff = "none", budget = "crates.billing")]
pub async fn bill(bodies: &AtomicU32) -> Result<(), Down> {
    bodies.fetch_add(1, Ordering::Relaxed);
    Err(Down)
}

/// Fails, counting its bodies; pays from the budget that this crate declares.
///
/// # Errors
///
/// Always.
#[retry(attempts = 2, backoff = "none", budget = SHIPPING)]
pub async fn ship(bodies: &AtomicU32) -> Result<(), Down> {
    bodies.fetch_add(1, Ordering::Relaxed);
    Err(Down)
}
