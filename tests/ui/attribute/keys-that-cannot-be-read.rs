use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry("attempts" = 3)] //~ ERROR expected a setting such as `attempts = 3`
async fn literal() -> Result<(), MyError> {
    Ok(())
}

#[retry(3 = attempts)] //~ ERROR expected a setting such as `attempts = 3`
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(!idempotent)] //~ ERROR expected a setting such as `attempts = 3`
async fn negated() -> Result<(), MyError> {
    Ok(())
}

#[retry((attempts = 3))] //~ ERROR expected a setting such as `attempts = 3`
async fn nested() -> Result<(), MyError> {
    Ok(())
}

#[retry({ attempts = 3 })] //~ ERROR expected a setting such as `attempts = 3`
async fn braces() -> Result<(), MyError> {
    Ok(())
}

#[retry('a = 3)] //~ ERROR expected a setting such as `attempts = 3`
async fn lifetime() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
