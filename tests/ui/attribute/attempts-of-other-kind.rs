use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = "three")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = |x| x)]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = 's')]
async fn character() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = 3u64)]
async fn suffix() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = pause)]
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = pause())]
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
