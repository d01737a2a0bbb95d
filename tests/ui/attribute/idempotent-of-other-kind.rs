use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(idempotent = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent = "x")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent = 's')]
async fn character() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
