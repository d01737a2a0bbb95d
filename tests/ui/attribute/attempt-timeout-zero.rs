use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempt_timeout = "0ms")] //~ ERROR `attempt_timeout` is zero
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
