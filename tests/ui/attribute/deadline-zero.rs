use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = "0s")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
