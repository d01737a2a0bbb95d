use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn fetch() -> Result<u8, MyError> {
    load() //~ ERROR expected `Result<u8, MyError>`, found future
}

async fn load() -> Result<u8, MyError> {
    Ok(1)
}

fn main() {}
