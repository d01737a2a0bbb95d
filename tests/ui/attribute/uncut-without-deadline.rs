use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(uncut)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
