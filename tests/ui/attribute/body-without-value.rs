use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn semicolon() -> Result<u8, MyError> { //~ ERROR expected `Result<u8, MyError>`, found `()`
    load();
}

#[retry]
async fn nothing() -> Result<u8, MyError> {} //~ ERROR expected `Result<u8, MyError>`, found `()`

#[retry]
async fn branch() -> Result<u8, MyError> {
    if true { //~ ERROR `if` may be missing an `else` clause
        load()
    }
}

fn load() -> Result<u8, MyError> {
    Ok(1)
}

fn main() {}
