//! What is no budget, no breaker, and no time after which to hedge.
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
    let _ = POLICY.run(async || client.get().await).budget(String::from("orders")).await; //~ ERROR `String` is not a budget
    let _ = POLICY.run(async || client.get().await).cut_error(|_| Down).breaker(7).await; //~ ERROR `{integer}` is not a breaker
    let _ = POLICY.run(async || client.get().await).hedge("95%").await; //~ ERROR `&str` is no time after which to hedge
}
