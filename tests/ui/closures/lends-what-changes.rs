//! A closure that lends its attempts what they change.
use stormless::{Policy, RetryExt as _, Retryable};

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
    let _call = POLICY.run(async || client.put().await); //~ ERROR cannot be run once for each attempt
    let _call = (async || client.put().await).retry(POLICY); //~ ERROR cannot be run once for each attempt
}
