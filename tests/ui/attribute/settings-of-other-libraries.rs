use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(max_attempts = 3)] //~ ERROR unknown setting `max_attempts`; did you mean `attempts`?
async fn f00() -> Result<(), MyError> {
    Ok(())
}

#[retry(retries = 3)] //~ ERROR unknown setting `retries`; did you mean `attempts`?
async fn f01() -> Result<(), MyError> {
    Ok(())
}

#[retry(times = 3)] //~ ERROR unknown setting `times`; did you mean `attempts`?
async fn f02() -> Result<(), MyError> {
    Ok(())
}

#[retry(jitter = true)] //~ ERROR unknown setting `jitter`; did you mean `backoff`?
async fn f03() -> Result<(), MyError> {
    Ok(())
}

#[retry(strategy = "fixed")] //~ ERROR unknown setting `strategy`; did you mean `backoff`?
async fn f04() -> Result<(), MyError> {
    Ok(())
}

#[retry(delay = "1s")] //~ ERROR unknown setting `delay`; did you mean `base`?
async fn f05() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_delay = "1s")] //~ ERROR unknown setting `min_delay`; did you mean `base`?
async fn f06() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_delay = "1s")] //~ ERROR unknown setting `max_delay`; did you mean `max`?
async fn f07() -> Result<(), MyError> {
    Ok(())
}

#[retry(multiplier = 2)] //~ ERROR unknown setting `multiplier`; did you mean `factor`?
async fn f08() -> Result<(), MyError> {
    Ok(())
}

#[retry(timeout = "1s")] //~ ERROR unknown setting `timeout`; did you mean `attempt_timeout`?
async fn f09() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_elapsed_time = "1s")] //~ ERROR unknown setting `max_elapsed_time`; did you mean `deadline`?
async fn f10() -> Result<(), MyError> {
    Ok(())
}

#[retry(when = f)] //~ ERROR unknown setting `when`; did you mean `classify`?
async fn f11() -> Result<(), MyError> {
    Ok(())
}

#[retry(retry_if = f)] //~ ERROR unknown setting `retry_if`; did you mean `classify`?
async fn f12() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
