use std::time::Duration;

use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(attempt_timeout = Duration::ZERO, cut_error = |_| MyError)] //~ ERROR `attempt_timeout` is zero
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
