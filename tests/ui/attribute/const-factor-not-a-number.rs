use std::time::Duration;

use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

const SHORT: Duration = Duration::from_millis(5);

#[retry(base = SHORT, factor = f64::NAN)] //~ ERROR `factor` must be a finite number of at least 1
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
