use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempt_timeout = "1s", deadline = "2s", uncut, last_attempt_untimed)] //~ ERROR `last_attempt_untimed` and `uncut` together leave nothing that ends the last attempt
async fn first() -> Result<(), MyError> {
    Ok(())
}

#[retry(last_attempt_untimed, attempt_timeout = "1s", deadline = "2s", uncut)] //~ ERROR `last_attempt_untimed` and `uncut` together leave nothing that ends the last attempt
async fn last() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
