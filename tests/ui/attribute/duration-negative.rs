use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = -5)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
