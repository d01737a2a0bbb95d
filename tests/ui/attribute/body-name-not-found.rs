use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn fetch(id: u64) -> Result<u64, MyError> {
    let order = idd + 1; //~ ERROR cannot find value `idd` in this scope
    client.load(order).await //~ ERROR cannot find value `client` in this scope
}

fn main() {}
