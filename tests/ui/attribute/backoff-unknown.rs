use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(backoff = "ful_jitter")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
