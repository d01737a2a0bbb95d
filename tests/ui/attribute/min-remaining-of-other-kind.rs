use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(min_remaining = "soon")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining = |x| x)]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining = 1.5)]
async fn float() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining = pause)]
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
