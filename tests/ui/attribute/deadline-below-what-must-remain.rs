use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(min_remaining = "2s", time_per_attempt = "3s", deadline = "1s")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
