use stormless::{Budget, retry};

#[derive(Debug, stormless::Retryable)]
enum MyError {
    #[retryable(transient)]
    Down,
    #[retryable(breaker_open)]
    Refused,
}

#[retry(shed)] //~ ERROR `shed` needs a `budget` by name or by path
async fn with_a_bucket_of_its_own() -> Result<(), MyError> {
    Ok(())
}

#[retry(shed, budget = none)] //~ ERROR `shed` needs a `budget` by name or by path
async fn with_none() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = _budget, shed)] //~ ERROR `shed` needs a `budget` by name or by path
async fn with_an_expression(_budget: &'static Budget) -> Result<(), MyError> {
    Ok(())
}

#[retry(shed = 2.0, budget = "orders")] //~ ERROR `shed` takes no value
async fn with_a_value() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
