use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(hedge = "p95")] //~ ERROR unknown setting `hedge`: use one of `attempts`
async fn hedge() -> Result<(), MyError> {
    Ok(())
}

#[retry(hedge_max = 2)] //~ ERROR unknown setting `hedge_max`
async fn hedge_max() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget_key = host)] //~ ERROR unknown setting `budget_key`
async fn budget_key() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
