use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(on_retry = |event| event.attempt())] //~ ERROR expected `()`, found `u32`
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = count)] //~ ERROR expected `count` to return `()`, but it returns `u32`
async fn path() -> Result<(), MyError> {
    Ok(())
}

fn count(event: &stormless::RetryEvent<'_, MyError>) -> u32 {
    event.attempt()
}

fn main() {}
