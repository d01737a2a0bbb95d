use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = "50")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
