use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(max_attempts = 3)]
async fn f00() -> Result<(), MyError> {
    Ok(())
}

#[retry(retries = 3)]
async fn f01() -> Result<(), MyError> {
    Ok(())
}

#[retry(times = 3)]
async fn f02() -> Result<(), MyError> {
    Ok(())
}

#[retry(jitter = true)]
async fn f03() -> Result<(), MyError> {
    Ok(())
}

#[retry(strategy = "fixed")]
async fn f04() -> Result<(), MyError> {
    Ok(())
}

#[retry(delay = "1s")]
async fn f05() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_delay = "1s")]
async fn f06() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_delay = "1s")]
async fn f07() -> Result<(), MyError> {
    Ok(())
}

#[retry(multiplier = 2)]
async fn f08() -> Result<(), MyError> {
    Ok(())
}

#[retry(timeout = "1s")]
async fn f09() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_elapsed_time = "1s")]
async fn f10() -> Result<(), MyError> {
    Ok(())
}

#[retry(when = f)]
async fn f11() -> Result<(), MyError> {
    Ok(())
}

#[retry(retry_if = f)]
async fn f12() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
