use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = left over)]
async fn two_words() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = pool(1 2), attempts = 0)]
async fn in_parentheses() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy = Vec<u8>, attempts = 0)]
async fn type_() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent = while)]
async fn keyword() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
