use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(max_retries = 3)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
