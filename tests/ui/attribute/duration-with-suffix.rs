use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = 50ms)] //~ ERROR a duration is written in quotes
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
