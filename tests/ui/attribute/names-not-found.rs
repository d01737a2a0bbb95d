use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(attempts = TRIES)] //~ ERROR cannot find value `TRIES` in this scope
async fn attempts() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = spread)] //~ ERROR cannot find value `spread` in this scope
async fn backoff() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = BASE)] //~ ERROR cannot find value `BASE` in this scope
async fn base() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline = left, uncut)] //~ ERROR cannot find value `left` in this scope
async fn deadline() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = LIMIT, cut_error = MyError::late)] //~ ERROR cannot find value `LIMIT` in this scope //~ ERROR no function or associated item named `late` found for struct `MyError`
async fn attempt_timeout() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = by_code)] //~ ERROR cannot find value `by_code` in this scope
async fn classify() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = log)] //~ ERROR cannot find value `log` in this scope
async fn on_retry() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy = POLICY)] //~ ERROR cannot find value `POLICY` in this scope
async fn policy() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_key = order.id)] //~ ERROR cannot find value `order` in this scope
async fn idempotency_key() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = "b", budget_key = order.id)] //~ ERROR cannot find value `order` in this scope
async fn budget_key() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
