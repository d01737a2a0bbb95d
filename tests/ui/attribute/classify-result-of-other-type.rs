use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(classify_result = |_| Classification::transient())]
async fn closure() -> Result<u16, MyError> {
    Ok(503)
}

#[retry(classify_result = of_value)]
async fn path() -> Result<u16, MyError> {
    Ok(503)
}

fn of_value(_: &u16) -> Option<Classification> {
    None
}

fn main() {}
