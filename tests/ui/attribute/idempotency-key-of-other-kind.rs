use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(idempotency_key = 3)] //~ ERROR `idempotency_key` needs an expression that tells one call from another
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_key = "x")] //~ ERROR `idempotency_key` needs an expression that tells one call from another
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_key = true)] //~ ERROR `idempotency_key` needs an expression that tells one call from another
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_key = none)] //~ ERROR `idempotency_key` needs an expression that tells one call from another
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_key(3))] //~ ERROR `idempotency_key` is written with `=`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_key)] //~ ERROR `idempotency_key` needs a value
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
