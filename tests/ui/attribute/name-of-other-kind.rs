use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(name = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(name = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(name = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(name = |x| x)]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(name = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(name = NAME)]
async fn constant() -> Result<(), MyError> {
    Ok(())
}

#[retry(name = b"orders")]
async fn bytes() -> Result<(), MyError> {
    Ok(())
}

#[retry(name = "  ")]
async fn spaces() -> Result<(), MyError> {
    Ok(())
}

#[retry(name(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(name)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
