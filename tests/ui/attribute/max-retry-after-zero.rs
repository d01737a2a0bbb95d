use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(max_retry_after = "0s")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
