use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = unlimited)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
