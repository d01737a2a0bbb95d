use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
