use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempt_timeout = "0ms")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
