use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(backoff = seconds)] //~ ERROR expected fn pointer, found fn item
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = BACKOFF)] //~ ERROR expected `Backoff`, found `u8`
async fn constant() -> Result<(), MyError> {
    Ok(())
}

fn seconds(attempt: u32) -> u64 {
    u64::from(attempt)
}

const BACKOFF: u8 = 0;

fn main() {}
