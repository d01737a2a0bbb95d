use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempt_timeout = "soon")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = |x| x)]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = 1.5)]
async fn float() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = pause)]
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
