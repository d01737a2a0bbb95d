use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = "2s", last_attempt_untimed)] //~ ERROR `last_attempt_untimed` needs an `attempt_timeout`
async fn untimed() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = "1s", last_attempt_untimed)] //~ ERROR `last_attempt_untimed` needs a `deadline` of this function
async fn endless() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = "1s", deadline = none, last_attempt_untimed)] //~ ERROR `last_attempt_untimed` needs a `deadline` of this function
async fn stepped_out() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
