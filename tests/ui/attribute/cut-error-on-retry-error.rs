use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(cut_error = cut)] //~ ERROR `cut_error` has no effect
async fn fetch() -> Result<(), stormless::RetryError<MyError>> {
    Ok(())
}

fn main() {}
