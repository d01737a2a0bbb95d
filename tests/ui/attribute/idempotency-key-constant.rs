use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(idempotency_key = "key")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
