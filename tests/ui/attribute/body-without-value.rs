use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn semicolon() -> Result<u8, MyError> {
    load();
}

#[retry]
async fn nothing() -> Result<u8, MyError> {}

#[retry]
async fn branch() -> Result<u8, MyError> {
    if true {
        load()
    }
}

fn load() -> Result<u8, MyError> {
    Ok(1)
}

fn main() {}
