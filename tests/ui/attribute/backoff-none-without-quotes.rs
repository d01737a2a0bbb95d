use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(backoff = none)] //~ ERROR write "none" in quotes
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
