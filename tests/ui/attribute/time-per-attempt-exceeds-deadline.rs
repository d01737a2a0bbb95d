use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = "1s", time_per_attempt = "2s")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
