//! Three layers and one deadline: the outermost sets it, the inner ones inherit what is left of it.
//!
//! It prints:
//!
//! ```text
//! A store that refuses after 600 ms: the last wait would not fit, so there is none.
//!       0 ms  page, 2000 ms left
//!       0 ms    orders, 2000 ms left
//!       0 ms      query, 2000 ms left
//!     641 ms  page, 1359 ms left
//!     641 ms    orders, 1359 ms left
//!     641 ms      query, 1359 ms left
//!    1245 ms  page, 755 ms left
//!    1245 ms    orders, 755 ms left
//!    1245 ms      query, 755 ms left
//!    1845 ms  the store is overloaded
//! deadline_cascade::page
//!   attempt 1: Overloaded (throttled, not executed) -> retry in 41ms
//!   attempt 2: Overloaded (throttled, not executed) -> retry in 4ms
//!   attempt 3: Overloaded (throttled, not executed)
//!   stopped after 3 attempts, slept 45ms: the next attempt would start too close to the deadline
//!
//! A store that hangs: cut in the innermost layer, 2 s after the outermost began.
//!       0 ms  page, 2000 ms left
//!       0 ms    orders, 2000 ms left
//!       0 ms      query, 2000 ms left
//!    2000 ms  the deadline passed
//! deadline_cascade::page
//!   attempt 1: OutOfTime (timeout, may have been executed)
//!   stopped after 1 attempt: the deadline passed
//! ```

use std::time::Duration;

use stormless::{Retryable, deadline, report, retry, testing};
use tokio::time::{Instant, sleep};

/// An error that can say that the deadline passed; so a running attempt can be cut there.
#[derive(Debug, thiserror::Error, Retryable)]
enum StoreError {
    #[error("the store is overloaded")]
    #[retryable(throttled)]
    Overloaded,
    #[error("the deadline passed")]
    #[retryable(deadline_exceeded)]
    OutOfTime,
}

/// Two seconds for everything; an attempt with 50 ms or less would not get anywhere.
#[retry(deadline = "2s", min_remaining = "50ms", attempts = 10, idempotent)]
async fn page(store: &Store) -> Result<(), StoreError> {
    store.log("page");
    orders(store).await
}

/// No deadline of its own: it has that of the page.
#[retry(attempts = 10, idempotent)]
async fn orders(store: &Store) -> Result<(), StoreError> {
    store.log("  orders");
    query(store).await
}

/// It would take five seconds, but a deadline only ever shrinks.
#[retry(deadline = "5s", attempts = 10, idempotent)]
async fn query(store: &Store) -> Result<(), StoreError> {
    store.log("    query");
    sleep(store.takes).await;
    Err(StoreError::Overloaded)
}

struct Store {
    takes: Duration,
    start: Instant,
}

impl Store {
    fn log(&self, layer: &str) {
        let left = deadline::remaining().unwrap_or_default();
        println!(
            "  {:5} ms  {layer}, {} ms left",
            self.start.elapsed().as_millis(),
            left.as_millis()
        );
    }
}

async fn show(takes: Duration) {
    let store = Store { takes, start: Instant::now() };
    let (result, calls) = report(page(&store)).await;
    if let Err(error) = result {
        println!("  {:5} ms  {error}", store.start.elapsed().as_millis());
    }
    // In the order in which they ended, so the outermost is the last.
    println!("{}", calls.last().expect("`page` was called"));
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    testing::isolated(async {
        testing::seed(2);
        println!(
            "A store that refuses after 600 ms: the last wait would not fit, so there is none."
        );
        show(Duration::from_millis(600)).await;
        println!(
            "\nA store that hangs: cut in the innermost layer, 2 s after the outermost began."
        );
        show(Duration::from_secs(60)).await;
    })
    .await;
}
