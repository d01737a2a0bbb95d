use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(fallback = none)] //~ ERROR unknown setting `fallback`: use one of `attempts`
async fn fallback() -> Result<(), MyError> {
    Ok(())
}

#[retry(bulkhead = 2)] //~ ERROR unknown setting `bulkhead`
async fn bulkhead() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
