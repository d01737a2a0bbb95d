use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(deadline = seconds, uncut)] //~ ERROR `u64` is neither a time nor a point in time
async fn variable(seconds: u64) -> Result<(), MyError> {
    let _ = seconds;
    Ok(())
}

#[retry(deadline = limits.seconds(), uncut)] //~ ERROR `f64` is neither a time nor a point in time
async fn call(limits: &Limits) -> Result<(), MyError> {
    let _ = limits;
    Ok(())
}

#[retry(deadline = LIMIT, uncut)] //~ ERROR expected `Duration`, found `u64`
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
