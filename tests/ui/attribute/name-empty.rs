use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(name = "")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
