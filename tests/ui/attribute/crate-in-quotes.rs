use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(crate = "stormless")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
