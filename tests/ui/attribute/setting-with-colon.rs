use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts: 3)] //~ ERROR a setting is written as in `attempts = 3`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
