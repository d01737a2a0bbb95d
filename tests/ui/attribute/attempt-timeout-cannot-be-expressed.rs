use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(attempt_timeout = "1s")] //~ ERROR `MyError` cannot say that an attempt timed out
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
