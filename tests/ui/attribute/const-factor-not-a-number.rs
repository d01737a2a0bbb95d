use std::time::Duration;

use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

const SHORT: Duration = Duration::from_millis(5);

#[retry(base = SHORT, factor = f64::NAN)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
