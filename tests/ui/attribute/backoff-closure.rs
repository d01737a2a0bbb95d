use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(backoff = |context| context.base())]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
