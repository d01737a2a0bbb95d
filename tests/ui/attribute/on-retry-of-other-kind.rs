use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(on_retry = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = "x")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = pause())]
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = async |x| x)]
async fn waiting() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
