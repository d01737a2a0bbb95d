use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(deadline = "1s")] //~ ERROR `MyError` cannot say that the deadline passed
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
