use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = std::time::Duration::from_millis(50))]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
