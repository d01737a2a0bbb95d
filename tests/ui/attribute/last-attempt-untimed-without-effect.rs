use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 1, attempt_timeout = "1s", deadline = "2s", last_attempt_untimed)] //~ ERROR `last_attempt_untimed` has no effect: the only attempt is the last one
async fn single() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = "unlimited", budget = none, inner = "allow", attempt_timeout = "1s", deadline = "2s", last_attempt_untimed)] //~ ERROR `last_attempt_untimed` has no effect: of "unlimited" attempts none is the last
async fn unlimited() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
