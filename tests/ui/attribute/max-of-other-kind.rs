use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(max = "soon")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(max = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(max = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(max = |x| x)]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(max = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(max = 1.5)]
async fn float() -> Result<(), MyError> {
    Ok(())
}

#[retry(max = pause)]
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(max(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(max)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
