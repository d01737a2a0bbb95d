use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(budget = "")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
