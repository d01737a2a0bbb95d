use stormless::{RetryError, retry};

#[derive(Debug)]
struct MyError;

#[retry(deadline = "1s")]
async fn fetch() -> Result<u8, RetryError<MyError>> {
    Ok(1)
}

fn main() {}
