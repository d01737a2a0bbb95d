use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(breaker = PAYMENTS)] //~ ERROR unknown setting `breaker`
async fn breaker() -> Result<(), MyError> {
    Ok(())
}

#[retry(hedge = "p95")] //~ ERROR unknown setting `hedge`: use one of `attempts`
async fn hedge() -> Result<(), MyError> {
    Ok(())
}

#[retry(hedge_max = 2)] //~ ERROR unknown setting `hedge_max`
async fn hedge_max() -> Result<(), MyError> {
    Ok(())
}

#[retry(expect = "p99")] //~ ERROR unknown setting `expect`
async fn expect() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
