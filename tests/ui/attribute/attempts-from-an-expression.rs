use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 2 + 1)] //~ ERROR `attempts` is fixed at compile time
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
