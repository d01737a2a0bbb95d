use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(factor = "two")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = |x| x)]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = -2)]
async fn negative() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = pause)]
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = pause())]
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
