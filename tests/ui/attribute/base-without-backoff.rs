use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(backoff = "none", base = "1s")] //~ ERROR `base` has no effect
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
