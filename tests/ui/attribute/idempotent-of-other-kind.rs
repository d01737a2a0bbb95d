use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(idempotent = 3)] //~ ERROR `idempotent` needs no value
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent = "x")] //~ ERROR `idempotent` needs no value
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent = 's')] //~ ERROR `idempotent` needs no value
async fn character() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent(3))] //~ ERROR `idempotent` needs no value
async fn list() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
