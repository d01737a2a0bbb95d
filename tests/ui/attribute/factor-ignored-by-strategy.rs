use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(backoff = "linear", factor = 2.0)] //~ ERROR `factor` has no effect
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
