use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = "unlimited", deadline = none, budget = none)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
