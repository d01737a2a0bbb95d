//! Settings that cut, and an error that cannot say so.
use stormless::{Policy, Retryable};

const POLICY: Policy = Policy::new();

#[derive(Debug, Retryable)]
#[retryable(transient)]
struct Down;

struct Client;

impl Client {
    async fn get(&self) -> Result<u32, Down> {
        Err(Down)
    }

    async fn put(&mut self) -> Result<u32, Down> {
        Err(Down)
    }
}

#[tokio::main]
async fn main() {
    let client = Client;
    let timeout = std::time::Duration::from_secs(1);
    let _ = POLICY.run(async || client.get().await).attempt_timeout(timeout).await; //~ ERROR `Down` cannot say that an attempt timed out
    let _ = POLICY.run(async || client.get().await).deadline(timeout).await; //~ ERROR `Down` cannot say that the deadline passed
    let _ = POLICY.run(async || client.get().await).breaker("orders").await; //~ ERROR `Down` cannot say that an attempt was refused
}
