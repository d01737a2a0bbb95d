use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = left over)] //~ ERROR expected `,` between two settings
async fn two_words() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = pool(1 2), attempts = 0)] //~ ERROR expected `,` //~ ERROR `attempts` is 0: it counts the first call
async fn in_parentheses() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy = Vec<u8>, attempts = 0)] //~ ERROR comparison operators cannot be chained //~ ERROR `attempts` is 0: it counts the first call
async fn type_() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent = while)] //~ ERROR the value of `idempotent` is not complete
async fn keyword() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
