use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(backoff = none)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
