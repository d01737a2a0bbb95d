use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts)] //~ ERROR `attempts` needs a value
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
