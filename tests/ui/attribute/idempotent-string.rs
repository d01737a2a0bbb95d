use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(idempotent = "yes")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
