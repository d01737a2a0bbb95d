//! A request that can be sent once only, and a layer that was not told so.
use stormless::{Policy, Retryable, tower::RetryLayer};
use tower::{Layer, service_fn, util::BoxService};

#[derive(Debug, Retryable)]
#[retryable(transient)]
struct Down;

struct Upload;

fn main() {
    let uploads = service_fn(|_: Upload| async { Ok::<u32, Down>(7) });
    let uploads = RetryLayer::new(Policy::new()).layer(uploads);
    let _: BoxService<Upload, u32, Down> = BoxService::new(uploads); //~ ERROR cannot be cloned for another attempt
}
