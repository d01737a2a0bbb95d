use stormless::{Retryable, retry};

#[derive(Debug, Retryable)]
#[retryable(transient)]
struct Unavailable;

#[async_trait::async_trait]
trait Store {
    async fn put(&self, rows: Vec<u8>, pair: (u8, u8)) -> Result<u8, Unavailable>;
    async fn take(self) -> Result<u8, Unavailable>;
}

struct Disk(u8);

#[async_trait::async_trait]
impl Store for Disk {
    #[retry]
    async fn put(
        &self,
        mut rows: Vec<u8>, //~ ERROR add `clone(rows)`
        (mut a, b): (u8, u8), //~ ERROR add `clone(a)`
    ) -> Result<u8, Unavailable> {
        rows.push(1);
        a += b;
        Ok(a)
    }

    #[retry]
    async fn take(mut self) -> Result<u8, Unavailable> { //~ ERROR changes of `self`
        self.0 += 1;
        Ok(self.0)
    }
}

fn main() {}
