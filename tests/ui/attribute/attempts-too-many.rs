use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 4294967296)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
