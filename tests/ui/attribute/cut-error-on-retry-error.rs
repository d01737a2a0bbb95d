use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(cut_error = cut)]
async fn fetch() -> Result<(), stormless::RetryError<MyError>> {
    Ok(())
}

fn main() {}
