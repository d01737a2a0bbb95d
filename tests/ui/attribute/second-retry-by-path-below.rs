use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
#[stormless::retry(attempts = 2)] //~ ERROR @attribute a second `#[retry]` would multiply the attempts
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
