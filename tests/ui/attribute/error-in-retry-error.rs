use stormless::{RetryError, retry};

#[derive(Debug)]
struct MyError;

#[retry(deadline = "1s")]
async fn fetch() -> Result<u8, RetryError<MyError>> { //~ ERROR `MyError` does not say which of its values a retry can help
    Ok(1)
}

fn main() {}
