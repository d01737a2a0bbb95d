use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(nested = "independant")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
