use std::time::Duration;

use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(deadline = Duration::ZERO, uncut)] //~ ERROR `deadline` is zero
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
