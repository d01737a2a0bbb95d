use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(max = "1s", base = "5s")]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
