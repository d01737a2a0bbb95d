use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(classify_result = |_| Classification::transient())] //~ ERROR expected `Option<Classification>`, found `Classification`
async fn closure() -> Result<u16, MyError> {
    Ok(503)
}

#[retry(classify_result = of_value)] //~ ERROR type mismatch in function arguments
async fn path() -> Result<u16, MyError> {
    Ok(503)
}

fn of_value(_: &u16) -> Option<Classification> {
    None
}

fn main() {}
