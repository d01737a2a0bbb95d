use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(max_retry_after = "soon")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after = |x| x)]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after = 1.5)]
async fn float() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after = pause)]
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
