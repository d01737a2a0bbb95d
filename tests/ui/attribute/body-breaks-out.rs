use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn fetch() -> Result<u64, MyError> {
    break;
}

#[retry]
async fn again() -> Result<u64, MyError> {
    continue;
}

fn main() {}
