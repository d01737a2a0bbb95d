use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(attempts = 3)]
#[retry(attempts = 5, budget = "orders")] //~ ERROR @attribute a second `#[retry]` would multiply the attempts
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
