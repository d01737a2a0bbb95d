use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = "none")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
