use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry = "attempts = 3"]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
