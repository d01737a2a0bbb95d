use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempt_timeout = T::LIMIT)] //~ ERROR `attempt_timeout` is the same for all types and cannot name `Self` or
async fn fetch<T: Limits>() -> Result<(), MyError> {
    Ok(())
}

trait Limits {
    const LIMIT: std::time::Duration;
}

fn main() {}
