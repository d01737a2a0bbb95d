use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(backoff = 3)] //~ ERROR `backoff` needs one of "full_jitter"
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = true)] //~ ERROR `backoff` needs one of "full_jitter"
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = [3])] //~ ERROR `backoff` is fixed at compile time
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = pause())] //~ ERROR `backoff` is fixed at compile time
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff(3))] //~ ERROR `backoff` is written with `=`: `backoff = "full_jitter"`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff)] //~ ERROR `backoff` needs a value, write `backoff = "full_jitter"`
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = b"fixed")] //~ ERROR `backoff` needs one of "full_jitter"
async fn bytes() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
