use stormless::{Classification, Retryable, retry as again};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[again]
#[must_use]
#[again(attempts = 5)] //~ ERROR @attribute a second `#[retry]` would multiply the attempts
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
