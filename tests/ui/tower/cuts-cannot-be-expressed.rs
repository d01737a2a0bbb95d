//! A deadline, and a service's error that cannot say that it passed.
use std::time::Duration;

use stormless::{Policy, Retryable, tower::RetryLayer};
use tower::{Layer, Service, service_fn};

#[derive(Debug, Retryable)]
#[retryable(transient)]
struct Down;

fn main() {
    let order = service_fn(|_: u64| async { Ok::<u32, Down>(7) });
    let mut order = RetryLayer::new(Policy::new()).deadline(Duration::from_secs(2)).layer(order); //~ ERROR `Down` cannot say that the deadline passed
    let _ = order.call(7);
}
