use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(breaker = "orders")] //~ ERROR `MyError` cannot say that an attempt was refused
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

#[retry(breaker = "orders", on_retry = |_| {})] //~ ERROR `MyError` cannot say that an attempt was refused
async fn told() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
