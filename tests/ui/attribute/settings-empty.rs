use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 3, , base = "1s")]
async fn between() -> Result<(), MyError> {
    Ok(())
}

#[retry(, attempts = 3)]
async fn leading() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = 3,,)]
async fn doubled() -> Result<(), MyError> {
    Ok(())
}

#[retry(,)]
async fn alone() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
