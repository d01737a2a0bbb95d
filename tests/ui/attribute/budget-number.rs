use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(budget = 10)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
