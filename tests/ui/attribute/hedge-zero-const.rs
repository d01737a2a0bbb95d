use std::time::Duration;

use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

const AT_ONCE: Duration = Duration::ZERO;

#[retry(idempotent, hedge = AT_ONCE)] //~ ERROR `hedge` is zero
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
