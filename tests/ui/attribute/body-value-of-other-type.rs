use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn literal() -> Result<u8, MyError> {
    Ok("1") //~ ERROR expected `u8`, found `&str`
}

#[retry]
async fn early() -> Result<u8, MyError> {
    if true {
        return Ok("1"); //~ ERROR expected `u8`, found `&str`
    }
    Ok(1)
}

#[retry]
async fn of_error() -> Result<u8, MyError> {
    Err("broken") //~ ERROR expected `MyError`, found `&str`
}

fn main() {}
