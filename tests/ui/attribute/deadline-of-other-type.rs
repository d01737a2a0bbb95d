use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(deadline = seconds, uncut)]
async fn variable(seconds: u64) -> Result<(), MyError> {
    let _ = seconds;
    Ok(())
}

#[retry(deadline = limits.seconds(), uncut)]
async fn call(limits: &Limits) -> Result<(), MyError> {
    let _ = limits;
    Ok(())
}

#[retry(deadline = LIMIT, uncut)]
async fn constant() -> Result<(), MyError> {
    Ok(())
}

struct Limits(u64);

impl Limits {
    fn seconds(&self) -> f64 {
        2.0
    }
}

const LIMIT: u64 = 5;

fn main() {}
