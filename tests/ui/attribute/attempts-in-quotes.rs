use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = "3")] //~ ERROR `attempts` is a number
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
