use stormless::{Retryable, retry};

#[derive(Debug, Retryable)]
#[retryable(transient)]
struct Unavailable;

#[async_trait::async_trait]
trait Store {
    async fn put(&self, pair: (u8, u8)) -> Result<u8, Unavailable>;
    async fn skipped(&self, pair: (u8, u8)) -> Result<u8, Unavailable>;
}

#[derive(Debug)]
struct Disk;

#[async_trait::async_trait]
impl Store for Disk {
    #[tracing::instrument]
    #[retry]
    async fn put(&self, (a, b): (u8, u8)) -> Result<u8, Unavailable> { //~ ERROR put `#[retry]` above
        Ok(a + b)
    }

    #[tracing::instrument(skip_all)]
    #[retry]
    async fn skipped(&self, (a, b): (u8, u8)) -> Result<u8, Unavailable> {
        Ok(a + b)
    }
}

fn main() {}
