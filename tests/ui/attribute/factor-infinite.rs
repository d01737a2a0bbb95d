use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(factor = 1e999)] //~ ERROR `factor` is too large for a number
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
