use stormless::{Classification, Cut, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(attempt_timeout = "1s", cut_error = |_| "too late")] //~ ERROR expected `MyError`, found `&str`
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = "1s", cut_error = late)] //~ ERROR expected `MyError`, found `&str`
async fn path() -> Result<(), MyError> {
    Ok(())
}

fn late(_: Cut) -> &'static str {
    "too late"
}

fn main() {}
