use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(budget = "none")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
