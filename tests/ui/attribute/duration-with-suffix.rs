use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = 50ms)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
