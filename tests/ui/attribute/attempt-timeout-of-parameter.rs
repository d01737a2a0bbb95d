use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempt_timeout = T::LIMIT)]
async fn fetch<T: Limits>() -> Result<(), MyError> {
    Ok(())
}

trait Limits {
    const LIMIT: std::time::Duration;
}

fn main() {}
