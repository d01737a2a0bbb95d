//! A service's error that says nothing about retries.
use stormless::{Policy, tower::RetryLayer};
use tower::{Layer, service_fn, util::BoxService};

struct Down;

fn main() {
    let orders = service_fn(|_: u64| async { Ok::<u32, Down>(7) });
    let orders = RetryLayer::new(Policy::new()).layer(orders);
    let _: BoxService<u64, u32, Down> = BoxService::new(orders); //~ ERROR `Down` does not say which of its values a retry can help
}
