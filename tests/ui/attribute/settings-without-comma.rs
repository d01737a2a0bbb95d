use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 3 base = "1s")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
