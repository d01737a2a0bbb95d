use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 3; base = "1s")] //~ ERROR expected `,` between two settings
async fn semicolon() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts => 3)] //~ ERROR a setting is written as in `attempts = 3`
async fn arrow() -> Result<(), MyError> {
    Ok(())
}

#[retry(retry::attempts = 3)] //~ ERROR a setting is written as in `attempts = 3`
async fn colons() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts == 3)] //~ ERROR a setting is written as in `attempts = 3`
async fn comparison() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts >= 3)] //~ ERROR a setting is written as in `attempts = 3`
async fn at_least() -> Result<(), MyError> {
    Ok(())
}

#[retry(a.b = 3)] //~ ERROR a setting is written as in `attempts = 3`
async fn point() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
