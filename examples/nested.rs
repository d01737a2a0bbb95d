//! Three layers of three attempts: 3 calls of the dependency, and not 27.
//!
//! It prints:
//!
//! ```text
//! Only the outermost layer retries: 3 calls of the store.
//! nested::repository
//!   attempt 1: Down (transient, not executed)
//!   stopped after 1 attempt: the enclosing call does the retrying
//! nested::service
//!   attempt 1: Down (transient, not executed)
//!   stopped after 1 attempt: the enclosing call does the retrying
//! nested::gateway
//!   attempt 1: Down (transient, not executed) -> retry in 34ms
//!   attempt 2: Down (transient, not executed) -> retry in 16ms
//!   attempt 3: Down (transient, not executed)
//!   stopped after 3 attempts, slept 50ms: no attempts left
//!
//! Each layer retries: 27 calls of the store.
//!
//! site                             max attempts  budget  failures  retries  recovered  stopped
//! nested::gateway                  3             -       3         2        0          1 attempts_exhausted
//! nested::independent::gateway     3             -       3         2        0          1 attempts_exhausted
//! nested::independent::repository  3             -       27        18       0          9 attempts_exhausted
//! nested::independent::service     3             -       9         6        0          3 attempts_exhausted
//! nested::repository               3             -       3         0        0          3 nested
//! nested::service                  3             -       3         0        0          3 nested
//! ```

use std::cell::Cell;

use stormless::{Retryable, report, retry, sites, testing};

#[derive(Debug, thiserror::Error, Retryable)]
#[error("the store is down")]
#[retryable(transient)]
struct Down;

/// Counts how often it is called, and is down.
#[derive(Default)]
struct Store {
    calls: Cell<u32>,
}

impl Store {
    fn read(&self) -> Result<(), Down> {
        self.calls.set(self.calls.get() + 1);
        Err(Down)
    }
}

// `budget = none` shows the layers alone; a budget would stop them earlier.

#[retry(attempts = 3, budget = none)]
async fn gateway(store: &Store) -> Result<(), Down> {
    service(store).await
}

#[retry(attempts = 3, budget = none)]
async fn service(store: &Store) -> Result<(), Down> {
    repository(store).await
}

#[retry(attempts = 3, budget = none)]
async fn repository(store: &Store) -> Result<(), Down> {
    store.read()
}

/// The same three layers, each of which retries whoever calls it.
mod independent {
    use super::{Down, Store, retry};

    #[retry(attempts = 3, budget = none)]
    pub(crate) async fn gateway(store: &Store) -> Result<(), Down> {
        service(store).await
    }

    #[retry(attempts = 3, budget = none, nested = "independent")]
    async fn service(store: &Store) -> Result<(), Down> {
        repository(store).await
    }

    #[retry(attempts = 3, budget = none, nested = "independent")]
    async fn repository(store: &Store) -> Result<(), Down> {
        store.read()
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    testing::isolated(async {
        testing::seed(1);
        let store = Store::default();
        let (_, calls) = report(gateway(&store)).await;
        println!("Only the outermost layer retries: {} calls of the store.", store.calls.get());
        // In the order in which they ended: the layers of one attempt, and at last the outermost.
        for call in calls.iter().take(2).chain(calls.last()) {
            println!("{call}");
        }

        let store = Store::default();
        let (_, _) = report(independent::gateway(&store)).await;
        println!("\nEach layer retries: {} calls of the store.\n", store.calls.get());
        println!("{}", sites());
    })
    .await;
}
