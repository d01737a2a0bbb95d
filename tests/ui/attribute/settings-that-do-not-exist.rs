use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(budget_key = host)] //~ ERROR unknown setting `budget_key`
async fn budget_key() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
