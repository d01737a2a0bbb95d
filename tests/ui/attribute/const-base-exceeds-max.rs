use std::time::Duration;

use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

const LONG: Duration = Duration::from_secs(5);

#[retry(base = LONG, max = "1s")] //~ ERROR `base` must not be above `max`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
