use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 1)]
async fn single() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = |_| ())]
async fn hooked() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result = |_| None)]
async fn by_result() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = "1s", cut_error = |_| MyError)]
async fn cut() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline = "1s", uncut)]
async fn uncut() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
