use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(attempts = TRIES)]
async fn attempts() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = spread)]
async fn backoff() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = BASE)]
async fn base() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline = left, uncut)]
async fn deadline() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = LIMIT, cut_error = MyError::late)]
async fn attempt_timeout() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = by_code)]
async fn classify() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = log)]
async fn on_retry() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy = POLICY)]
async fn policy() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_key = order.id)]
async fn idempotency_key() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
