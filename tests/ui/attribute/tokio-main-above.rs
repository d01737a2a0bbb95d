use stormless::retry;

#[derive(Debug)]
struct MyError;

#[tokio::main]
#[retry]
async fn main() -> Result<(), MyError> {
    Ok(())
}

