use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 4294967296)] //~ ERROR `attempts` is above 4294967295
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
