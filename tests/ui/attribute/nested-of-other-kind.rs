use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(nested = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested = "sometimes")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested = |x| x)]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested = pause)]
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
