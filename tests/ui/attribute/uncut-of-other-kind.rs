use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(uncut = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(uncut = "x")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(uncut = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(uncut = |x| x)]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(uncut(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
