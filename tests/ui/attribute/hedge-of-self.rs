use std::time::Duration;

use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

struct Client;

impl Client {
    const SLOW: Duration = Duration::from_millis(100);

    #[retry(idempotent, hedge = Self::SLOW)] //~ ERROR `hedge` is the same for all types
    async fn fetch(&self) -> Result<(), MyError> {
        Ok(())
    }
}

fn main() {}
