use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(budget = |x| x)] //~ ERROR expected `&Budget`, found closure
async fn budget() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline = [1], uncut)] //~ ERROR `[{integer}; 1]` is neither a time nor a point in time
async fn deadline() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent = |x| x)] //~ ERROR expected `bool`, found closure
async fn idempotent() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_key = [1])] //~ ERROR `[{integer}; 1]` doesn't implement `std::fmt::Display`
async fn idempotency_key() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy = [1])] //~ ERROR `[{integer}; 1]` is not a `Policy`
async fn policy() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
