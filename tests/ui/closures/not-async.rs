//! A closure that is not async.
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
    let _call = POLICY.run(|| Ok::<u32, Down>(7)); //~ ERROR cannot be run once for each attempt
}
