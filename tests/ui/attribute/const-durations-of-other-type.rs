use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(base = SECONDS)] //~ ERROR expected `Duration`, found `u64`
async fn base() -> Result<(), MyError> {
    Ok(())
}

#[retry(max = SECONDS)] //~ ERROR expected `Duration`, found `u64`
async fn max() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining = SECONDS)] //~ ERROR expected `Duration`, found `u64`
async fn min_remaining() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt = SECONDS)] //~ ERROR expected `Duration`, found `u64`
async fn time_per_attempt() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after = SECONDS)] //~ ERROR expected `Duration`, found `u64`
async fn max_retry_after() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = SECONDS, cut_error = |_| MyError)] //~ ERROR expected `Duration`, found `u64`
async fn attempt_timeout() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = SECONDS)] //~ ERROR expected `f64`, found `u64`
async fn factor() -> Result<(), MyError> {
    Ok(())
}

const SECONDS: u64 = 5;

fn main() {}
