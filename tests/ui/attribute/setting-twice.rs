use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 3, base = "1s", attempts = 4)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
