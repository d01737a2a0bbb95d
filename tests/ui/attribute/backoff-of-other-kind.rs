use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(backoff = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = pause())]
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = b"fixed")]
async fn bytes() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
