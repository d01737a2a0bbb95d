use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(backoff = "none", base = "1s")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
