use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(on_retry = |event: &str| println!("{event}"))] //~ ERROR type mismatch in closure arguments
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = log)] //~ ERROR type mismatch in function arguments
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = log_nothing)] //~ ERROR function is expected to take 1 argument
async fn no_argument() -> Result<(), MyError> {
    Ok(())
}

fn log(_: MyError) {}

fn log_nothing() {}

fn main() {}
