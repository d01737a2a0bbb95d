use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 1)]
async fn single() -> Result<(), MyError> { //~ ERROR `MyError` does not say which of its values a retry can help
    Ok(())
}

#[retry(on_retry = |_| ())]
async fn hooked() -> Result<(), MyError> { //~ ERROR `MyError` does not say which of its values a retry can help
    Ok(())
}

#[retry(classify_result = |_| None)]
async fn by_result() -> Result<(), MyError> { //~ ERROR `MyError` does not say which of its values a retry can help
    Ok(())
}

#[retry(attempt_timeout = "1s", cut_error = |_| MyError)]
async fn cut() -> Result<(), MyError> { //~ ERROR `MyError` does not say which of its values a retry can help
    Ok(())
}

#[retry(deadline = "1s", uncut)]
async fn uncut() -> Result<(), MyError> { //~ ERROR `MyError` does not say which of its values a retry can help
    Ok(())
}

fn main() {}
