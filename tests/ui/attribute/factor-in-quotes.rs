use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(factor = "2")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
