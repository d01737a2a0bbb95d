use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(policy = "fast")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
