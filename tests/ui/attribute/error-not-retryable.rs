use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn fetch() -> Result<(), MyError> { //~ ERROR `MyError` does not say which of its values a retry can help
    Ok(())
}

fn main() {}
