use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(factor = 1e999)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
