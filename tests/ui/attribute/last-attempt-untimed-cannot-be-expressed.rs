use stormless::{Classification, Retryable, retry};
use stormless::AttemptTimeout;

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

impl From<AttemptTimeout> for MyError {
    fn from(_: AttemptTimeout) -> Self {
        Self
    }
}

#[retry(attempt_timeout = "1s", deadline = "2s", last_attempt_untimed)] //~ ERROR `MyError` cannot say that the deadline passed
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
