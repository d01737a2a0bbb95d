use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(idempotency_key = "key")] //~ ERROR `idempotency_key` needs an expression that tells one call from another
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
