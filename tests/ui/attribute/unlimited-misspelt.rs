use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = "unlimitted")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
