use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(policy = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy = "x")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
