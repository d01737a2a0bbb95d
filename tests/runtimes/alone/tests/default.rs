//! The one feature that is on brings the timer along, without a line of code.
#![cfg(any(feature = "futures-timer", feature = "async-io"))]

#[path = "support/found.rs"]
mod found;

use std::{
    future::pending,
    time::{Duration, Instant},
};

use alone::{Dependency, Failure};
use futures_executor::block_on;
use stormless::{retry, verify};

#[retry(backoff = "fixed", base = "2ms", budget = none)]
async fn fetch(dependency: &Dependency) -> Result<u64, Failure> {
    dependency.answer().await
}

#[test]
fn a_retry_follows_its_wait() {
    if found::is_tokios() {
        return;
    }
    assert!(verify().is_ok());
    let (start, dependency) = (Instant::now(), Dependency::failing(2));
    assert_eq!((block_on(fetch(&dependency)), dependency.bodies()), (Ok(7), 3));
    assert!(start.elapsed() >= Duration::from_millis(4));
}

#[test]
fn an_attempt_ends_at_its_timeout() {
    #[retry(attempts = 1, attempt_timeout = "2ms", budget = none)]
    async fn timed() -> Result<u64, Failure> {
        pending().await
    }
    if found::is_tokios() {
        return;
    }
    assert_eq!(block_on(timed()), Err(Failure::Slow));
}
