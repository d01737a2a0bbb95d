use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(blocking, idempotent, hedge = "100ms")] //~ ERROR `hedge` is not for `blocking` functions
fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
