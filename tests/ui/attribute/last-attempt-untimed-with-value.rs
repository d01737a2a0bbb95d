use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempt_timeout = "1s", deadline = "2s", last_attempt_untimed = true)] //~ ERROR `last_attempt_untimed` takes no value
async fn valued() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
