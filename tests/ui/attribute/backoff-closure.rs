use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(backoff = |context| context.base())] //~ ERROR `backoff` is fixed at compile time
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
