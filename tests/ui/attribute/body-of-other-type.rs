use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn fetch() -> Result<u8, MyError> {
    "" //~ ERROR expected `Result<u8, MyError>`, found `&str`
}

fn main() {}
