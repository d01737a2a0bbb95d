use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

const FAULTY: stormless::Policy = stormless::Policy::new().factor(0.5);

#[retry(policy = FAULTY, attempts = 3)] //~ ERROR `factor` must be a finite number of at least 1
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
