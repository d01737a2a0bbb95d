use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(crate = crate::retries)] //~ ERROR unresolved import `crate::retries`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
