use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = "soon")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = |x| x)]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = 1.5)]
async fn float() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = pause)]
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(base(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(base)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
