use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = "1s", uncut)]
async fn fetch() -> Result<(), stormless::RetryError<MyError>> {
    Ok(())
}

fn main() {}
