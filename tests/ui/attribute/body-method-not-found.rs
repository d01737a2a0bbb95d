use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn fetch(id: u64) -> Result<u64, MyError> {
    id.load().await //~ ERROR no method named `load` found for type `u64` in the current scope
}

fn main() {}
