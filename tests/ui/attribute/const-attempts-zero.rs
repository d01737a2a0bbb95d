use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

const TRIES: u32 = 0;

#[retry(attempts = TRIES)] //~ ERROR `attempts` counts the first call: it must be at least 1
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
