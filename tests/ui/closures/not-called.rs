//! Calls that lend or block, awaited like others.
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
    let mut client = Client;
    let _ = POLICY.run_mut(async || client.put().await).await; //~ ERROR ends in `.call().await`
    let _ = POLICY.run_blocking(|| Ok::<u32, Down>(7)).await; //~ ERROR ends in `.call().await`
}
