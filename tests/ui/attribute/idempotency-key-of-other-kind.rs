use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(idempotency_key = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_key = "x")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_key = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_key = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_key(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_key)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
