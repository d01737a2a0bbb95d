use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(backoff = "none", max = "1s", factor = 2.0)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
