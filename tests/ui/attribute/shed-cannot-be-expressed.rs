use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(shed, budget = "orders")] //~ ERROR `MyError` cannot say that an attempt was refused
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
