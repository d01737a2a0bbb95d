use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = "unlimited", budget = none, inner = "allow")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
