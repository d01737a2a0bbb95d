use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 2 + 1)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
