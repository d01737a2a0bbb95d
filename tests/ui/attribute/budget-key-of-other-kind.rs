use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(budget = "hosts", budget_key = 3)] //~ ERROR `budget_key` needs an expression that tells one destination from another
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = "hosts", budget_key = "x")] //~ ERROR `budget_key` needs an expression that tells one destination from another
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = "hosts", budget_key = true)] //~ ERROR `budget_key` needs an expression that tells one destination from another
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = "hosts", budget_key = none)] //~ ERROR `budget_key` needs an expression that tells one destination from another
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = "hosts", budget_key(3))] //~ ERROR `budget_key` is written with `=`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = "hosts", budget_key)] //~ ERROR `budget_key` needs a value
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
