use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

const TRIES: u64 = 3;

#[retry(attempts = TRIES)] //~ ERROR mismatched types
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
