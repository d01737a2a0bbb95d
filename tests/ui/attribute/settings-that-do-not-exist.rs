use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(breaker = PAYMENTS)]
async fn breaker() -> Result<(), MyError> {
    Ok(())
}

#[retry(hedge = "p95")]
async fn hedge() -> Result<(), MyError> {
    Ok(())
}

#[retry(hedge_max = 2)]
async fn hedge_max() -> Result<(), MyError> {
    Ok(())
}

#[retry(expect = "p99")]
async fn expect() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget_key = host)]
async fn budget_key() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
