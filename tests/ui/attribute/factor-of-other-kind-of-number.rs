use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(factor = f32::MAX)] //~ ERROR expected `f64`, found `f32`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
