use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline = "soon")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline = 1.5)]
async fn float() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline = -1)]
async fn negative() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
