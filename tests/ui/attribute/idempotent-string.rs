use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(idempotent = "yes")] //~ ERROR `idempotent` needs no value
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
