use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(budget_key = host)] //~ ERROR `budget_key` needs a `budget`
async fn without(host: &str) -> Result<(), MyError> {
    let _ = host;
    Ok(())
}

#[retry(budget = none, budget_key = host)] //~ ERROR `budget_key` has no effect beside `budget = none`
async fn none(host: &str) -> Result<(), MyError> {
    let _ = host;
    Ok(())
}

fn main() {}
