use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn literal() -> Result<u8, MyError> {
    Ok("1")
}

#[retry]
async fn early() -> Result<u8, MyError> {
    if true {
        return Ok("1");
    }
    Ok(1)
}

#[retry]
async fn of_error() -> Result<u8, MyError> {
    Err("broken")
}

fn main() {}
