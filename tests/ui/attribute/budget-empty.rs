use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(budget = "")] //~ ERROR `budget` is empty
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
