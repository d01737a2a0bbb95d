//! A call whose attempts borrow what is around them is not `Send`, although it could be: one more reason
//! for `run`. Where this compiles, the documentation of `run_mut` says too little.
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
    let _ = tokio::spawn(async { //~ ERROR higher-ranked lifetime error
        let mut client = Client;
        POLICY.run_mut(async || client.put().await).call().await
    })
    .await;
}
