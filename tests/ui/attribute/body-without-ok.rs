use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn tail() -> Result<u8, MyError> {
    1 //~ ERROR expected `Result<u8, MyError>`, found integer
}

#[retry]
async fn early() -> Result<u8, MyError> {
    if true {
        return 1; //~ ERROR expected `Result<u8, MyError>`, found integer
    }
    Ok(1)
}

fn main() {}
