use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(factor = 0.5)] //~ ERROR `factor` is 0.5
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
