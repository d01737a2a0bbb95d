use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(hedge = "100ms")] //~ ERROR add `idempotent` if that is harmless
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

#[retry(hedge = "100ms", idempotent = false)] //~ ERROR add `idempotent` if that is harmless
async fn never() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
