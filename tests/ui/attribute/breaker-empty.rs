use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(breaker = "")] //~ ERROR `breaker` is empty
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
