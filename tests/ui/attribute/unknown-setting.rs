use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(bugdet = "orders")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
