use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(time_per_attempt = "soon")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt = |x| x)]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt = 1.5)]
async fn float() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt = pause)]
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
