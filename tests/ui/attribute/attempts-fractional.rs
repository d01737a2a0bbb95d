use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 1.5)] //~ ERROR `attempts` is 1.5
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
