use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(budget = |x| x)]
async fn budget() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline = [1], uncut)]
async fn deadline() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent = |x| x)]
async fn idempotent() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_key = [1])]
async fn idempotency_key() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy = [1])]
async fn policy() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
