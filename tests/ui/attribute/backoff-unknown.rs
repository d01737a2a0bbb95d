use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(backoff = "ful_jitter")] //~ ERROR "ful_jitter" is no value of `backoff`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
