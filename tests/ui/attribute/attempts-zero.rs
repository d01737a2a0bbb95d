use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 0)] //~ ERROR `attempts` is 0
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
