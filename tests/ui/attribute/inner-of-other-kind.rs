use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(inner = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner = "sometimes")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner = |x| x)]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner = pause)]
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
