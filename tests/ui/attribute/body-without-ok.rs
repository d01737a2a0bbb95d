use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn tail() -> Result<u8, MyError> {
    1
}

#[retry]
async fn early() -> Result<u8, MyError> {
    if true {
        return 1;
    }
    Ok(1)
}

fn main() {}
