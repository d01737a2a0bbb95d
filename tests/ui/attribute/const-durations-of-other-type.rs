use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(base = SECONDS)]
async fn base() -> Result<(), MyError> {
    Ok(())
}

#[retry(max = SECONDS)]
async fn max() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining = SECONDS)]
async fn min_remaining() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt = SECONDS)]
async fn time_per_attempt() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after = SECONDS)]
async fn max_retry_after() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = SECONDS, cut_error = |_| MyError)]
async fn attempt_timeout() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = SECONDS)]
async fn factor() -> Result<(), MyError> {
    Ok(())
}

const SECONDS: u64 = 5;

fn main() {}
