use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(max_retry_after = "0s")] //~ ERROR `max_retry_after` is zero
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
