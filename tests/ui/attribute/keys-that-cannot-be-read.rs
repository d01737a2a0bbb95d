use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry("attempts" = 3)]
async fn literal() -> Result<(), MyError> {
    Ok(())
}

#[retry(3 = attempts)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(!idempotent)]
async fn negated() -> Result<(), MyError> {
    Ok(())
}

#[retry((attempts = 3))]
async fn nested() -> Result<(), MyError> {
    Ok(())
}

#[retry({ attempts = 3 })]
async fn braces() -> Result<(), MyError> {
    Ok(())
}

#[retry('a = 3)]
async fn lifetime() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
