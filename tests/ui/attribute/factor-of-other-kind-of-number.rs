use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(factor = f32::MAX)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
