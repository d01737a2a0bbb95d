use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

const TRIES: u64 = 3;

#[retry(attempts = TRIES)] //~ ERROR expected `u32`, found `u64`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
