use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(factor = "2")] //~ ERROR `factor` is a number
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
