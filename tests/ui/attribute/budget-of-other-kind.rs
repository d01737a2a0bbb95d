use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(budget = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = 's')]
async fn character() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = 0.1)]
async fn float() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
