use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = "unlimited", deadline = none, inner = "allow")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
