//! Functions whose calls fail by script.

use std::sync::atomic::{AtomicU32, Ordering};

use stormless::{Breaker, Budget, Retryable, breaker, budget, retry};

budget! { static LEDGER: Budget = Budget::new("ledger").burst(2).ratio(0.1); }
breaker! { static LEDGER_BREAKER: Breaker = Breaker::new("ledger"); }

#[derive(Debug, PartialEq, Eq, Retryable)]
pub(crate) enum Fault {
    #[retryable(transient)]
    Unavailable,
    #[retryable(permanent, executed)]
    NotFound,
    #[retryable(breaker_open)]
    NotAsked,
}

/// Fails so many times before it succeeds.
#[retry(budget = LEDGER, base = "1ms")]
async fn read(failures: &AtomicU32) -> Result<(), Fault> {
    let left =
        failures.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
    if left.is_ok() { Err(Fault::Unavailable) } else { Ok(()) }
}

#[retry(budget = LEDGER)]
async fn find() -> Result<(), Fault> {
    Err(Fault::NotFound)
}

/// Of a budget that is declared nowhere.
#[retry(budget = "lost")]
async fn guess() -> Result<(), Fault> {
    Ok(())
}

/// Known from link time.
#[allow(dead_code)]
#[retry(budget = LEDGER, breaker = LEDGER_BREAKER)]
async fn never() -> Result<(), Fault> {
    Ok(())
}

/// So many retries: one that helps, and one that does not, after which there are none.
pub(crate) async fn traffic() {
    for _ in 0..10 {
        assert_eq!(read(&AtomicU32::new(0)).await, Ok(()));
    }
    assert_eq!(read(&AtomicU32::new(1)).await, Ok(()));
    assert_eq!(read(&AtomicU32::new(9)).await, Err(Fault::Unavailable));
    assert_eq!(find().await, Err(Fault::NotFound));
    assert_eq!(guess().await, Ok(()));
    LEDGER_BREAKER.isolate();
}

/// Five calls that succeed.
pub(crate) async fn more_traffic() {
    for _ in 0..5 {
        assert_eq!(read(&AtomicU32::new(0)).await, Ok(()));
    }
}
