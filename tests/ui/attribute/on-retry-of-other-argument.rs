use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(on_retry = |event: &str| println!("{event}"))]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = log)]
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = log_nothing)]
async fn no_argument() -> Result<(), MyError> {
    Ok(())
}

fn log(_: MyError) {}

fn log_nothing() {}

fn main() {}
