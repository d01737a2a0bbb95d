use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(inner = allow)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
